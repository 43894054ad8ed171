import type { PackRecord } from '../pack-types.ts'

/** A pack as far as pictures need it. */
export type DrawnPack = Pick<PackRecord, 'status' | 'payload'>
