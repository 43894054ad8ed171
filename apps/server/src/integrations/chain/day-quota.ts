import type { SpentCredits } from '../../store/node-calls/rpc-budgets.ts'
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

/** Adds spent credits of a Unix day and returns the sum of the current day. */
export type AddCredits = (day: number, credits: number) => Promise<SpentCredits>

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
  /** Day of the credits. At midnight, the day of the database can differ from the own day. */
  #day = -1
  #ownDay = -1
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
    return this.#ownDay === dayOf(this.#now()) ? this.#reported + this.#unreported : 0
  }

  /**
   * Reads the credits that other processes have spent, before calls wait to be sent.
   *
   * @throws PacedOutError until the next UTC day if the calls exceed the share of the purpose
   */
  async check(methods: readonly string[], purpose: ReadPurpose): Promise<void> {
    const now = this.#startDay()
    await this.#report(now)
    this.#allow(methods, purpose)
  }

  /**
   * Counts calls that are sent now.
   *
   * @throws PacedOutError until the next UTC day if the calls exceed the share of the purpose
   */
  charge(methods: readonly string[], purpose: ReadPurpose): void {
    this.#startDay()
    this.#unreported += this.#allow(methods, purpose)
  }

  #startDay(): number {
    const now = this.#now()
    const day = dayOf(now)
    if (day === this.#ownDay) return now
    this.#ownDay = day
    this.#reportedAt = Number.NEGATIVE_INFINITY
    // Otherwise the database already is in this day.
    if (day !== this.#day) this.#begin(day)
    return now
  }

  #begin(day: number): void {
    this.#day = day
    this.#reported = 0
    this.#unreported = 0
  }

  #allow(methods: readonly string[], purpose: ReadPurpose): number {
    const cost = methods.reduce((sum, method) => sum + creditsOf(this.#terms, method), 0)
    const stop = stops[purpose]
    if (stop !== undefined && this.used + cost > stop * this.#terms.creditsPerDay) {
      const untilMidnight = (this.#day + 1) * dayMilliseconds - this.#now()
      // The clock of this process can differ from the clock of the database.
      const delay = Math.min(dayMilliseconds, Math.max(reportMilliseconds, untilMidnight))
      throw new PacedOutError(delay, { isQuota: true })
    }
    return cost
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
      const spent = await this.#add(day, sent)
      if (day !== this.#day) return
      this.#day = spent.day
      this.#reported = spent.credits
      this.#unreported -= sent
    } catch {
      // Without the database, this process counts alone until the next report.
    }
  }
}
