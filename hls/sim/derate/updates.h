// The operators that update what stands on their left: `DERATE_UPDATES(DO)` is `DO(+)` for `+=`, and so on for each.
#pragma once

#define DERATE_UPDATES(DO) DO(+) DO(-) DO(*) DO(/) DO(%) DO(&) DO(|) DO(^) DO(<<) DO(>>)
