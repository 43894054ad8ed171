export type { Receipt, Vault } from './records.ts'
export { controlProofOf } from './related.ts'
