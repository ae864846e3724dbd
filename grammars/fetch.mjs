// node fetch.mjs DIR: puts the sources of tree-sitter and of the grammars that package.json names
// into DIR/<package name without scope>, exactly as package-lock.json pins them.
//
// `npm ci` would do, but it leaves 20 times as much on disk: the packages carry binaries for every
// platform. So each tarball is fetched with `npm pack`, checked here against the lock's integrity,
// and unpacked without them.
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const lock = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8')).packages;
const into = resolve(process.argv[2]);
const unwanted = ['prebuilds', 'bindings', 'node-types.json', 'grammar.json'];

const pins = new Map();  // "sha512-…" -> the folder's name
const specs = [];
for (const name of Object.keys(lock[''].dependencies)) {
  const {version, integrity} = lock[`node_modules/${name}`];
  pins.set(integrity, name.replace(/^@[^/]*\//, ''));
  specs.push(`${name}@${version}`);
}

const tarballs = join(into, 'tarballs');
rmSync(into, {recursive: true, force: true});
mkdirSync(tarballs, {recursive: true});
execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs, ...specs],
             {cwd: here, stdio: ['ignore', 'ignore', 'inherit']});

for (const file of readdirSync(tarballs)) {
  const tarball = join(tarballs, file);
  const hash = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  const name = pins.get(`sha512-${hash}`);
  if (!name) throw new Error(`${file} is not what package-lock.json pins; nothing is built of it`);
  pins.delete(`sha512-${hash}`);
  mkdirSync(join(into, name));
  execFileSync('tar', ['-xzf', tarball, '-C', join(into, name), '--strip-components=1',
                       ...unwanted.map((what) => `--exclude=${what}`)]);
}
if (pins.size) throw new Error(`npm fetched no tarball of ${[...pins.values()].join(', ')}`);
rmSync(tarballs, {recursive: true});
