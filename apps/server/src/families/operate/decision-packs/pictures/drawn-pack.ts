import type { PackRecord } from '../pack-types.ts'

/** A packet: the part that charts use. */
export type DrawnPack = Pick<PackRecord, 'status' | 'payload'>
