import type { LoggedEvent } from '../../proof/api.ts'
import type { Pair, Payload } from '../rendering/words.ts'

/** A passport and its proof-log path: the part that charts use. */
export interface DrawnPassport {
  readonly payload: Payload
  readonly pair: Pair
  /** Null until a checkpoint covers the publication. */
  readonly logged: LoggedEvent | null
  /** Checkpoints up to that of the proof, oldest first. */
  readonly heads: readonly { readonly treeSize: number; readonly rootHash: string }[]
}
