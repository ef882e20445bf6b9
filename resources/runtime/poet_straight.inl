/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* One call for each instruction of a straight-line schedule; the same functions as the table's run behind them. */
#define POET_DO(op, flags, id, arg, operand)                                                                     \
    if ((code = POET_P(do)(s, (uint8_t)(op), (uint8_t)(flags), (uint16_t)(id), (arg), (operand))) != POET_OK)   \
        return code;
#define POET_RUN(id, at, work, again) POET_DO((again) ? POET_RECOMPUTE : POET_COMPUTE, 0, id, at, work)
#define POET_OUT(id, page, flags) POET_DO(POET_PAGE_OUT, flags, id, page, POET_ABSENT)
#define POET_IN(op, id, at, page) POET_DO(op, 0, id, at, page)
#define POET_WAIT_FOR(id) POET_DO(POET_WAIT, 0, id, 0, POET_ABSENT)
#define POET_DROP(id) POET_DO(POET_FREE, 0, id, 0, POET_ABSENT)
#define POET_APPLY(id) POET_DO(POET_UPDATE, 0, id, 0, POET_ABSENT)
#define POET_FINISH(count) POET_DO(POET_END, 0, 0, count, POET_ABSENT)
