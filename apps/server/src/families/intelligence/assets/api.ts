export { knownAssets } from './known-assets.ts'
