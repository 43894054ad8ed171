/**
 * Refusals of a range of blocks by public nodes.
 *
 * @see ponder-sh/ponder, packages/utils/src/getLogsRetryHelper.ts
 */
const wordings: readonly (readonly [number, (blocks: number) => string])[] = [
  [-32005, (blocks) => `eth_getLogs is limited to a ${blocks} blocks range`],
  [-32614, (blocks) => `eth_getLogs is limited to a ${blocks} range`],
  [-32602, (blocks) => `Log response size exceeded. Use a block range of up to ${blocks} blocks`],
  [-32000, (blocks) => `exceed maximum block range: ${blocks}`],
  [-32000, (blocks) => `eth_getLogs range is too large, max is ${blocks} blocks`],
  [-32000, (blocks) => `requested too many blocks, maximum is set to ${blocks}`],
  [-32600, () => 'block range is too wide'],
  [-32000, () => 'Block range is too large'],
  [-32602, (blocks) => `Exceeded max range limit for eth_getLogs: ${blocks}`],
  [-32000, (blocks) => `The maximum number of blocks is ${blocks}`],
  [-32000, () => 'Query timeout exceeded. Consider reducing your block range.'],
  [-32600, (blocks) => `eth_getLogs and eth_newFilter are limited to a ${blocks} blocks range`],
  [-32000, (blocks) => `block range exceeds max range: ${blocks}`],
  [-32000, (blocks) => `GetLogs query must be smaller than size ${blocks}`],
  [-32000, (blocks) => `maximum [from, to] blocks distance: ${blocks}`],
  [-32005, () => 'block range limit exceeded'],
  [-32001, (blocks) => `logs are limited to a ${blocks} block range`],
  [-32602, (blocks) => `Too many blocks requested; maximum ${blocks}`],
  [-32000, (blocks) => `query exceeds max block range ${blocks}`],
  [-32602, () => 'query exceeds max results 20000, retry with a smaller range'],
  [-32000, (blocks) => `the range is too large, limit ${blocks}`],
  [-32005, () => 'query returned more than 10000 results'],
  [-32000, () => 'logs matched by query exceeds limit of 10000'],
  [-32701, (blocks) => `Please limit the query to at most ${blocks} blocks`],
  [-32011, () => 'no backend is currently healthy to serve traffic'],
  [-32005, () => 'limit exceeded'],
  [-32020, () => 'backend response too large'],
  [-32008, () => 'Response is too big'],
  [-32000, () => 'request timed out, reduce the range of blocks'],
  [
    -32000,
    (blocks) =>
      `Your plan allows ${blocks} blocks per eth_getLogs; upgrade for a larger block range`,
  ],
]

export const rangeWordings = wordings.map(([code, messageOf]) => ({ code, messageOf }))
