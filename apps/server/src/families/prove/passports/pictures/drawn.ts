import type { LoggedEvent } from '../../proof/api.ts'
import type { Pair, Payload } from '../rendering/words.ts'

/** A passport and its way into the proof log, as far as pictures need them. */
export interface DrawnPassport {
  readonly payload: Payload
  readonly pair: Pair
  /** Null while no signed head covers the publication. */
  readonly logged: LoggedEvent | null
  /** Signed heads up to that of the proof, oldest first. */
  readonly heads: readonly { readonly treeSize: number; readonly rootHash: string }[]
}
