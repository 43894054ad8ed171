import { daySeconds } from '../../../units.ts'

/** Net reward atoms that reached third parties, by distributor (lower case) and program day. */
export type PaidByDay = ReadonlyMap<string, readonly bigint[]>

/** A transfer of the reward to or from a distributor; addresses in lower case. */
export interface RewardTransfer {
  readonly from: string
  readonly to: string
  readonly amount: bigint
  /** Unix seconds. */
  readonly at: number
}

/** Accounts and period of the counted transfers; addresses in lower case. */
export interface PaidTerms {
  readonly distributors: readonly string[]
  /** Issuer accounts: a transfer to them is not a payment. */
  readonly ownAccounts: readonly string[]
  /** Unix seconds. */
  readonly start: number
  readonly days: number
}

const zeroAddress = `0x${'0'.repeat(40)}`

/**
 * True if a transfer is a payment: not to another distributor, not to an issuer account, and not
 * burned.
 */
export function isPayment({ from, to }: RewardTransfer, terms: PaidTerms): boolean {
  const { distributors, ownAccounts } = terms
  const isExempt = distributors.includes(to) || ownAccounts.includes(to) || to === zeroAddress
  return distributors.includes(from) && !isExempt
}

/**
 * Net payments of distributors, in chain order.
 *
 * Tokens are fungible, so an inflow to a distributor reverses the latest payments, its own first,
 * and never more than was paid. A circulating reward therefore counts once. A distributor that is
 * refilled while it pays is undercounted rather than overcounted.
 */
export class PaidLedger {
  readonly #terms: PaidTerms
  readonly #paid: ReadonlyMap<string, bigint[]>
  /** Balance at issuer accounts; it can return to a distributor without having been paid. */
  #lent = 0n

  constructor(terms: PaidTerms) {
    this.#terms = terms
    this.#paid = new Map(
      terms.distributors.map((account) => [account, new Array<bigint>(terms.days + 1).fill(0n)]),
    )
  }

  /** @param transfer in ascending time order, from the start to one day after the end */
  take(transfer: RewardTransfer): void {
    const { from, to, amount, at } = transfer
    const { distributors, ownAccounts, start, days } = this.#terms
    if (isPayment(transfer, this.#terms)) {
      const day = Math.floor((at - start) / daySeconds)
      // The last index is the day after the end.
      if (day >= 0 && day <= days) this.#paid.get(from)![day]! += amount
    } else if (distributors.includes(from)) {
      if (ownAccounts.includes(to)) this.#lent += amount
    } else if (distributors.includes(to) && from !== zeroAddress) {
      const lent = ownAccounts.includes(from) ? smaller(this.#lent, amount) : 0n
      this.#lent -= lent
      this.#takeBack(to, amount - lent)
    }
  }

  byDay(): PaidByDay {
    return this.#paid
  }

  #takeBack(account: string, amount: bigint): void {
    const others = [...this.#paid.keys()].filter((other) => other !== account)
    let remaining = amount
    for (const payer of [account, ...others]) {
      // All distributors have day entries.
      const days = this.#paid.get(payer)!
      for (let day = days.length - 1; day >= 0 && remaining > 0n; day -= 1) {
        const back = smaller(days[day]!, remaining)
        days[day]! -= back
        remaining -= back
      }
    }
  }
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
