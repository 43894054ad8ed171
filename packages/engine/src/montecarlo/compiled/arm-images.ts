import { midPrice } from '../../amm/swap.ts'
import type { ClmmState } from '../../amm/v3/state.ts'
import type { Rat } from '../../arithmetic/integer.ts'
import { rateFactor } from '../flow-draws.ts'
import type { MonteCarloSpec } from '../monte-carlo-spec.ts'
import { startPrice } from '../reference-price.ts'
import { depthRefreshSteps } from '../run-path.ts'
import { type OpenedArm, writeArm } from './compiled-arm.ts'
import { PathMemory } from './path-memory.ts'
import { openPathsModule, type PathsExports } from './paths-module.ts'
import type { SampleLayout } from './sample-layout.ts'

/** Memory of an opened arm: fixed fields and claimed memory. */
interface Image {
  readonly fixed: Uint8Array
  readonly claimed: Uint8Array
}

/** Study parameters common to all paths. */
export type PathTerms = Pick<MonteCarloSpec, 'flow' | 'others' | 'scenario' | 'steps' | 'cfg'> & {
  readonly s0: ClmmState
}

/** One module instance for all paths of a study: shared data, and one memory image per arm. */
export class ArmImages {
  readonly x: PathsExports
  readonly memory: PathMemory
  /** Maximum trades of a path. */
  readonly capacity: number
  readonly #terms: PathTerms
  readonly #sharedEnd: number
  readonly #blank: Image
  readonly #images = new Map<string, { image: Image; layout: SampleLayout }>()

  constructor(terms: PathTerms, capacity: number) {
    const { cfg, flow, s0, steps } = terms
    const price = startPrice(midPrice(s0, cfg.orientation))
    this.#terms = terms
    this.capacity = capacity
    const x = openPathsModule((ratio) => (flow === null ? 1 : rateFactor(flow, ratio)))
    this.x = x
    this.memory = new PathMemory(x)
    x.setFee(s0.feePips)
    x.setSteps(steps, capacity, price.shift, cfg.orientation.base === 0 ? 1 : 0)
    this.memory.write192(x.START_PRICE.value, price.num)
    const isElastic = flow !== null && (flow.depthElasticity ?? 0) !== 0
    const kept = 1 - s0.feePips / 1_000_000
    x.setCourse(cfg.stepSeconds, depthRefreshSteps(steps), isElastic ? 1 : 0, kept)
    this.#sharedEnd = x.claimedEnd()
    this.#blank = this.#take()
  }

  /**
   * Creates the memory image of an opened arm unless one exists. The caller must write the first
   * price of a path before.
   *
   * @throws UnheldNumberError if a number exceeds its field
   */
  add(opened: OpenedArm, price: Rat): void {
    if (this.#images.has(opened.key)) return
    this.#put(this.#blank)
    const layout = writeArm(this.x, this.memory, this.#terms, opened, price)
    this.#images.set(opened.key, { image: this.#take(), layout })
  }

  /** Brings the module to where an arm has opened. */
  open({ key }: OpenedArm): SampleLayout {
    const known = this.#images.get(key)
    if (known === undefined) throw new RangeError('a candidate without an image')
    this.#put(known.image)
    return known.layout
  }

  #take(): Image {
    const { x, memory } = this
    x.keep()
    const { bytes } = memory
    return {
      fixed: bytes.slice(0, x.fixedEnd()),
      claimed: bytes.slice(this.#sharedEnd, x.claimedEnd()),
    }
  }

  #put({ fixed, claimed }: Image): void {
    const { x, memory } = this
    const { bytes } = memory
    const end = this.#sharedEnd + claimed.length
    bytes.set(fixed)
    bytes.set(claimed, this.#sharedEnd)
    // Memory is claimed as zero, so what a path has claimed beyond the image is zero again.
    bytes.fill(0, end, Math.max(end, x.claimedEnd()))
    x.recall()
  }
}
