// Pairs of words of which a program has both: what one of them does, the other undoes, or does on
// the other side. A line with the one is another line than that with the other, never the same one
// renamed: "min_size" and "max_size", "enable(" and "disable(".
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

inline constexpr std::string_view kOpposites =
    "|above below|absolute relative|accept reject|acquire release|activate deactivate|add delete|"
    "add remove|add sub|alloc free|allocate deallocate|allocate free|allow deny|allow disallow|"
    "allowed denied|and or|any all|append prepend|ascending descending|assign unassign|"
    "attach detach|before after|begin end|big little|bind unbind|black white|buy sell|"
    "client server|compress decompress|connect disconnect|create delete|create destroy|day month|"
    "debit credit|debug info|debug release|east west|enable disable|enabled disabled|"
    "enables disables|encode decode|encoded decoded|encoder decoder|encrypt decrypt|equal unequal|"
    "error warning|even odd|expand collapse|expected actual|first last|float double|floor ceil|"
    "floor ceiling|foreground background|forward backward|forward reverse|from to|front back|"
    "full empty|get set|grant revoke|greater less|head tail|header footer|hi lo|high low|"
    "horizontal vertical|hour minute|http https|import export|imports exports|in out|"
    "inbound outbound|inc dec|include exclude|incoming outgoing|increase decrease|"
    "increment decrement|ingress egress|init exit|inner outer|input output|inputs outputs|"
    "insert delete|insert remove|insert update|inside outside|install uninstall|internal external|"
    "key value|keys values|known unknown|large small|least most|left right|light dark|link unlink|"
    "load save|load store|load unload|local global|local remote|lock unlock|locked unlocked|"
    "login logout|long short|map unmap|margin padding|min max|minimum maximum|minute second|"
    "month year|more less|mount unmount|mute unmute|north south|old new|on off|"
    "open close|opened closed|over under|pack unpack|parent child|pass fail|passed failed|"
    "patch put|plus minus|positive negative|post get|pre post|prev next|previous next|"
    "primary secondary|prod dev|production development|production staging|public private|"
    "publish subscribe|push pop|put get|put post|read write|reader writer|reads writes|"
    "register unregister|req res|request response|row col|row column|rows cols|rows columns|"
    "select deselect|send receive|send recv|sender receiver|sent received|serialize deserialize|"
    "show hide|shown hidden|signed unsigned|sin cos|source destination|source target|src dest|"
    "src dst|start end|start finish|start stop|static dynamic|subscribe unsubscribe|"
    "succeeded failed|success error|success failure|sync async|top bottom|true false|undo redo|"
    "up down|upload download|upper lower|valid invalid|visible hidden|"
    "visible invisible|warning info|width height|with without|wrap unwrap|yes no|";

// Of words in lower case.
inline bool are_opposites(std::string_view a, std::string_view b) {
  const auto has = [](std::string_view one, std::string_view other) {
    std::string pair("|");
    pair.append(one).append(" ").append(other).append("|");
    return kOpposites.find(pair) != std::string_view::npos;
  };
  return has(a, b) || has(b, a);
}

}  // namespace bodkin
