import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daySeconds } from '../../../units.ts'
import { PaidLedger, type RewardTransfer } from './paid-ledger.ts'

const account = (digit: string) => `0x${digit.repeat(40)}`
const [payer, second, own, friend, other] = ['a', 'b', 'c', 'd', 'e'].map(account) as [
  ...[string, string, string, string, string],
]
const zeroAccount = account('0')
const terms = { distributors: [payer, second], ownAccounts: [own], start: 1000, days: 3 }
type Sent = readonly [from: string, to: string, amount: bigint, onDay: number]

function paid(...sent: readonly Sent[]) {
  const ledger = new PaidLedger(terms)
  for (const [from, to, amount, onDay] of sent) {
    ledger.take({ from, to, amount, at: terms.start + onDay * daySeconds })
  }
  const days = ledger.byDay()
  return [days.get(payer), days.get(second)]
}

const none = [0n, 0n, 0n, 0n]

describe('what distributors paid', () => {
  it('is the sum sent to others, by day of the program and the following day', () => {
    expect(
      paid(
        ...([
          [payer, friend, 5n, 0],
          [second, friend, 7n, 0.999],
          [payer, other, 1n, 1],
          [payer, other, 2n, 3],
          [payer, other, 99n, 4],
        ] as const),
      ),
    ).toEqual([
      [5n, 1n, 0n, 2n],
      [7n, 0n, 0n, 0n],
    ])
  })

  it('is no less for what filled a distributor before it paid, or was minted to it', () => {
    expect(
      paid([other, payer, 100n, 0], [payer, friend, 10n, 0], [zeroAccount, payer, 100n, 1]),
    ).toEqual([[10n, 0n, 0n, 0n], none])
  })

  it('excludes amounts that stay with the issuer or another distributor, or are burned', () => {
    expect(
      paid(
        [payer, own, 5n, 0],
        [payer, second, 5n, 0],
        [payer, zeroAccount, 5n, 0],
        [payer, payer, 5n, 0],
      ),
    ).toEqual([none, none])
  })

  it('is less what comes back, the latest first', () => {
    expect(paid([payer, friend, 10n, 0], [payer, friend, 10n, 1], [friend, payer, 12n, 2])).toEqual(
      [[8n, 0n, 0n, 0n], none],
    )
  })

  it('counts once what goes round, also through other accounts', () => {
    const rounds = Array.from({ length: 10 }, (): Sent[] => [
      [payer, friend, 10n, 0],
      [other, payer, 10n, 0],
    ])
    expect(paid(...rounds.flat(), [payer, friend, 10n, 1])).toEqual([[0n, 10n, 0n, 0n], none])
  })

  it('counts once what goes round through another distributor', () => {
    const rounds = Array.from({ length: 10 }, (): Sent[] => [
      [payer, friend, 10n, 0],
      [friend, second, 10n, 0],
      [second, payer, 10n, 0],
    ])
    expect(paid(...rounds.flat())).toEqual([none, none])
  })

  it('is not reduced by a loan to an account of the issuer', () => {
    expect(
      paid(
        [payer, friend, 10n, 0],
        [payer, own, 50n, 0],
        [own, payer, 50n, 1],
        [own, payer, 3n, 1],
      ),
    ).toEqual([[7n, 0n, 0n, 0n], none])
  })

  it('is never below nothing, and never more than left the distributors for good', () => {
    const anyAccount = fc.constantFrom(payer, second, own, friend, other, zeroAccount)
    const transfer = fc.tuple(
      anyAccount,
      anyAccount,
      fc.bigInt(1n, 50n),
      fc.integer({ min: 0, max: 3 }),
    )
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 40 }), (sent) => {
        const ordered = sent.filter(([from, to]) => from !== to).toSorted((a, b) => a[3] - b[3])
        const byDay = paid(...ordered).flat() as bigint[]
        expect(byDay.every((amount) => amount >= 0n)).toBe(true)
        const total = byDay.reduce((sum, amount) => sum + amount, 0n)
        // The most that strangers held of it at any time, counted from the least that they had brought.
        let [held, min] = [0n, 0n]
        for (const [from, to, amount] of ordered) {
          const isPayer = (who: string) => who === payer || who === second
          const isForeign = (who: string) => who === friend || who === other
          if (isPayer(from) && isForeign(to)) held += amount
          if (isForeign(from) && isPayer(to)) held -= amount
          if (held < min) min = held
        }
        expect(total).toBeLessThanOrEqual(held - min)
      }),
      { numRuns: 2000 },
    )
  })

  it('excludes transfers before the start', () => {
    const transfer: RewardTransfer = { from: payer, to: friend, amount: 1n, at: terms.start - 1 }
    const ledger = new PaidLedger(terms)
    ledger.take(transfer)
    expect([...ledger.byDay().values()]).toEqual([none, none])
  })
})
