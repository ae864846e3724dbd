// The sections of --help and the manual after a command's options, with headings in capitals.
#pragma once

namespace bodkin {

extern const char kFirstSteps[];  // what a person who types bodkin alone is told

extern const char kApplyFooter[], kVerifyFooter[], kAskFooter[], kMcpFooter[], kAcpFooter[],
    kHistoryFooter[], kUndoFooter[], kReplayFooter[], kContextFooter[], kCompleteFooter[],
    kCheckFooter[], kTrustFooter[], kSettingsFooter[], kCompletionFooter[], kManualFooter[];

}  // namespace bodkin
