// @module-tag long
// @covers apps/server/src/families/intelligence/venues

import { deflatingTokenInitCode, erc20Abi, v2PairAbi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { describe, expect } from 'vitest'
import type { Alert } from '../src/families/intelligence/alerts/alert.ts'
import type { ObservationRecord } from '../src/market/completed-observations.ts'
import { pairBody, providerBody, startTestChain } from './support/chain.ts'
import { chainTest, started } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { indexTo } from './support/scoring.ts'

const ether = 10n ** 18n
const it = chainTest
  .extend('testChain', { scope: 'file' }, started(startTestChain))
  .extend('runsJobs', { scope: 'file' }, true)

describe('a token that takes a fee from the first swap on', () => {
  it('is not proven at validation, and its venue is withheld and alerted once it swaps', async ({
    testChain,
    owner,
  }) => {
    const { chain, markets } = testChain
    const from = chain.accounts[0]!.address
    const quote = markets.tokens[1]
    const taxed = await chain.deploy(deflatingTokenInitCode(10n ** 25n))
    const pair = await chain.createV2Pair(taxed, quote)
    const pay = (token: Address, amount: bigint) => {
      const args = [pair.address, amount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      return chain.send({ from, to: token, data })
    }
    const mint = { abi: v2PairAbi, functionName: 'mint', args: [from] } as const
    await pay(taxed, 100n * ether)
    await pay(quote, 100n * ether)
    await chain.send({ from, to: pair.address, data: encodeFunctionData(mint) })
    await chain.mine(70)

    await owner.client.putOperatingSystemProvider({ body: providerBody(chain.rpcUrl) })
    const { payload, reason } = pairBody(testChain, { address: pair.address })
    const profile = { ...payload, pair: { ...payload.pair, base: taxed, quote } }
    const body = { payload: profile, reason, status: 'VALIDATED' } as const
    const { data: venue } = (await owner.client.createVenues({ body } as never)).body
    const check = venue.payload.validation!.checks.find(({ code }) => code === 'TOKEN_BEHAVIOUR')
    expect(check!.observed).toMatch(/^NOT_PROVEN: no swap among/)
    await indexTo(owner, venue.id)

    await pay(quote, ether)
    const out = 10n ** 17n
    const amounts = pair.token0 === taxed ? ([out, 0n] as const) : ([0n, out] as const)
    const swap = { abi: v2PairAbi, functionName: 'swap', args: [...amounts, from, '0x'] } as const
    await chain.send({ from, to: pair.address, data: encodeFunctionData(swap) })
    await chain.mine(70)
    await indexTo(owner, venue.id)

    const observations = async () => {
      const { data } = await callOperation<ObservationRecord[]>(owner, 'listVenueObservations')
      return data
        .filter((one) => one.payload.venue.id === venue.id)
        .toSorted((a, b) => b.payload.range.to.number - a.payload.range.to.number)
    }
    const [newest, before] = await observations()
    expect([before!.status, before!.payload.gaps]).toEqual(['COMPLETED', []])
    expect([newest!.status, newest!.payload.continuity.proved]).toEqual(['PARTIAL', false])
    expect(newest!.payload.gaps).toEqual([
      expect.objectContaining({
        code: 'TOKEN_NOT_EXACT',
        detail: expect.stringContaining(`${(out * 99n) / 100n} of ${out} of ${taxed}`),
      }),
    ])
    const { data: alerts } = await callOperation<Alert[]>(owner, 'listAlertsV2')
    expect(alerts.find(({ kind }) => kind === 'VENUE_DIVERGENT')).toMatchObject({
      title: expect.stringMatching(/takes a fee or changes balances/),
      subject: { venueId: venue.id },
    })
    // The next run continues behind the swap.
    await chain.mine(70)
    await indexTo(owner, venue.id)
    const [last] = await observations()
    expect(last!.payload.range.from.number).toBe(newest!.payload.range.to.number + 1)
    expect(last!.status).toBe('COMPLETED')
  })
})
