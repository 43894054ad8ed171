export { controlExpiredText, evidenceBehind, isControlLive } from './control-behind.ts'
export { coverageOf } from './coverage-of.ts'
export {
  type BooksStatus,
  differingAccounts,
  maxReconciliationDays,
  readBooksStatus,
} from './ledger-status.ts'
export { type Opening, openingBalances } from './opening-balances.ts'
export { type KnownAsset, knownAssetsOf } from './projected-terms.ts'
export { type Entry, refOf } from './read-sources.ts'
export { runwayAfter } from './runway-after.ts'
