export { type Opening, openingBalances } from './opening-balances.ts'
export { type KnownAsset, knownAssetsOf } from './projected-terms.ts'
export { type Entry, refOf } from './read-sources.ts'
