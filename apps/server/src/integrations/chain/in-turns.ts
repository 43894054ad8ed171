import { setImmediate as nextTurn } from 'node:timers/promises'
import { limits } from '../../limits.ts'

/** Slices of a list with an event loop turn between them, for long work on provider responses. */
export async function* slicesInTurns<Item>(items: readonly Item[]): AsyncGenerator<Item[]> {
  const size = limits.chainAnswerPieceItems
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await nextTurn()
    yield items.slice(from, from + size)
  }
}
