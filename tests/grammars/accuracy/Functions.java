import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** java Functions.java FILE... | compare.py PROGRAM: the methods and classes by javac's parser. */
public class Functions {
  public static void main(String[] paths) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    JavacTask task =
        (JavacTask) compiler.getTask(null, files, d -> {}, List.of("-proc:none"), null, files.getJavaFileObjects(paths));
    SourcePositions places = Trees.instance(task).getSourcePositions();
    List<String> result = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) {
      List<String> found = new ArrayList<>();
      new TreePathScanner<Void, Void>() {
        void add(Tree node, boolean isFunction) {
          long begin = places.getStartPosition(unit, node), end = places.getEndPosition(unit, node);
          if (begin < 0 || end <= begin) return; // a constructor that nobody wrote
          found.add("[" + unit.getLineMap().getLineNumber(begin) + "," + unit.getLineMap().getLineNumber(end - 1) + ","
                  + isFunction + "]");
        }

        @Override
        public Void visitMethod(MethodTree node, Void nothing) {
          add(node, true);
          return super.visitMethod(node, nothing);
        }

        @Override
        public Void visitClass(ClassTree node, Void nothing) {
          if (!node.getSimpleName().isEmpty()) add(node, false);
          return super.visitClass(node, nothing);
        }
      }.scan(unit, null);
      result.add("\"" + new File(unit.getSourceFile().getName()).getPath() + "\":[" + String.join(",", found) + "]");
    }
    System.out.println("{" + String.join(",", result) + "}");
  }
}
