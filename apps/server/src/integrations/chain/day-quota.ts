import { dayMilliseconds } from '../../units.ts'
import { PacedOutError } from './wait-budget.ts'

/** Purpose of a read. JOB: background work that can wait. PROBE: measures the state of a node. */
export type ReadPurpose = 'REQUEST' | 'JOB' | 'PROBE'

/** Credits of one UTC day, as the plan of the provider counts them. */
export interface QuotaTerms {
  readonly creditsPerDay: number
  /** Credits of one call by method; `default` for all others. Default: 1. */
  readonly credits: Readonly<Record<string, number>>
}

/** Adds spent credits of a UTC day and returns the credits that all processes have spent in it. */
export type AddCredits = (day: number, credits: number) => Promise<number>

/** Used share of a day that stops the reads of a purpose. Probes never stop. */
const stops: Readonly<Partial<Record<ReadPurpose, number>>> = { JOB: 0.95, REQUEST: 1 }
/** Share of a day that may be unreported to other processes, and the longest time without a report. */
const [unreportedShare, reportMilliseconds] = [0.005, 10_000]

/** Unix day. */
export const dayOf = (milliseconds: number) => Math.floor(milliseconds / dayMilliseconds)

export const creditsOf = ({ credits }: Pick<QuotaTerms, 'credits'>, method: string): number =>
  (Object.hasOwn(credits, method) ? credits[method] : credits.default) ?? 1

/** Credits that a provider grants per UTC day, shared by all processes. */
export class DayQuota {
  readonly #terms: QuotaTerms
  readonly #add: AddCredits
  readonly #now: () => number
  #day = -1
  #reported = 0
  #unreported = 0
  #reportedAt = Number.NEGATIVE_INFINITY
  #reporting: Promise<void> | null = null

  constructor(terms: QuotaTerms, add: AddCredits, now: () => number) {
    this.#terms = terms
    this.#add = add
    this.#now = now
  }

  /** Credits spent today, as far as this process knows. */
  get used(): number {
    return this.#day === dayOf(this.#now()) ? this.#reported + this.#unreported : 0
  }

  /**
   * Counts calls before they are sent.
   *
   * @throws PacedOutError until the next UTC day if the calls exceed the share of the purpose
   */
  async charge(methods: readonly string[], purpose: ReadPurpose): Promise<void> {
    const now = this.#now()
    const day = dayOf(now)
    if (day !== this.#day) [this.#day, this.#reported, this.#unreported] = [day, 0, 0]
    await this.#report(now)
    const cost = methods.reduce((sum, method) => sum + creditsOf(this.#terms, method), 0)
    const stop = stops[purpose]
    if (stop !== undefined && this.used + cost > stop * this.#terms.creditsPerDay) {
      throw new PacedOutError((day + 1) * dayMilliseconds - now, { isQuota: true })
    }
    this.#unreported += cost
  }

  /** One report at a time; concurrent calls share it. */
  async #report(now: number): Promise<void> {
    const isLarge = this.#unreported >= unreportedShare * this.#terms.creditsPerDay
    if (now - this.#reportedAt < reportMilliseconds && !isLarge) return
    this.#reporting ??= this.#send(now).finally(() => {
      this.#reporting = null
    })
    await this.#reporting
  }

  async #send(now: number): Promise<void> {
    const [day, sent] = [this.#day, this.#unreported]
    this.#reportedAt = now
    try {
      const total = await this.#add(day, sent)
      if (day !== this.#day) return
      this.#reported = total
      this.#unreported -= sent
    } catch {
      // Without the database, this process counts alone until the next report.
    }
  }
}
