export { boundPack } from './bind-pack.ts'
export type { PackInput } from './pack-types.ts'
export { decisionPacks } from './records.ts'
