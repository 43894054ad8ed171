import type { ArmDesk, DeskObserver } from '../montecarlo/arm-desk.ts'
import type { ActionKind } from '../montecarlo/gas-table.ts'
import type { Deposit } from './deposit.ts'

/** An executed or rejected action of an arm; one of the two fields is null. */
export interface CourseAction {
  readonly block: number
  readonly timestamp: number | null
  readonly action: ActionKind | null
  /** The guard that refused. */
  readonly refusedBy: string | null
}

/** An arm's liquidity ranges from a moment on. */
export interface CourseLayout {
  readonly block: number
  readonly timestamp: number | null
  readonly positions: readonly Deposit[]
}

/** Maximum entries per list; later ones are only counted. */
const MOST_TOLD = 10_000

/** Actions of an arm during a replay, in order, for charts and manual checks. */
export class ArmCourse implements DeskObserver {
  readonly actions: CourseAction[] = []
  readonly layouts: CourseLayout[] = []
  #place: { block: number; timestamp: number | null }
  #key = ''

  /** @param place block and time of the start */
  constructor(place: { block: number; timestamp: number | null }) {
    this.#place = { block: place.block, timestamp: place.timestamp }
  }

  moveTo(block: number, timestamp: number | null): void {
    this.#place = { block, timestamp }
  }

  done(action: ActionKind): void {
    this.#tell({ ...this.#place, action, refusedBy: null })
  }

  refused(guard: string): void {
    this.#tell({ ...this.#place, action: null, refusedBy: guard })
  }

  /** Notes where the positions lie now, if that has changed. */
  noteLayout({ positions }: ArmDesk): void {
    const all = [...positions.values()]
    const key = all.map((p) => `${p.tickLower}|${p.tickUpper}|${p.liquidity}`).join()
    if (key === this.#key || this.layouts.length >= MOST_TOLD) return
    this.#key = key
    this.layouts.push({ ...this.#place, positions: all.map((position) => ({ ...position })) })
  }

  #tell(action: CourseAction): void {
    if (this.actions.length < MOST_TOLD) this.actions.push(action)
  }
}
