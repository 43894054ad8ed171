import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  batchData,
  batchedCalls,
  type SafeCall,
  safeTransactionHashes,
} from '../../../integrations/chain/safe-executions.ts'
import { isExpected } from '../../../market/proposals/agreed-packets.ts'
import { commitmentAddress } from '../autonomy-policies/api.ts'
import { packetHashOf, signedOf } from './derive-payload.ts'
import { countedApprovals, ended } from './phases.ts'

const policyHash = '0xa4053020bb839b58c8240ac82ce7a83b632d4eef07c64ac02993b3b06a71381e'
const safe = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const commitment: SafeCall = {
  to: commitmentAddress,
  value: 0n,
  operation: 0,
  data: `${policyHash}${'1'.padStart(64, '0')}`,
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: zeroAddress,
  refundReceiver: zeroAddress,
}
const golden = '0x24cca3d0fd40358e5f49bece9225376a8d1bccc26a635dddf788a6122be5399c'

describe('the hashes of a packet', () => {
  it('are those that owners sign', () => {
    expect(safeTransactionHashes(31_337, safe, commitment, 7n).safeTxHash).toBe(golden)
    const { safeTx, hashes } = signedOf(
      { chainId: 31_337, safeAddress: safe },
      commitment,
      7n,
      true,
    )
    expect([safeTx.nonce, hashes.safeTxHash]).toEqual(['7', golden])
  })

  it('name one template, or all of a series in their order', () => {
    const place = { chainId: 31_337, safeAddress: safe }
    const packets = [7n, 8n].map((nonce) => signedOf(place, commitment, nonce, true))
    const calls = [{ to: commitment.to, value: '0', data: commitment.data }]
    const of = (some: typeof packets) =>
      packetHashOf({
        action: {
          actionType: 'ADMIT_POLICY',
          chainId: 31_337,
          safeAddress: safe,
          calls,
        },
        series: some.slice(1).map(() => ({ calls })),
        review: { required: 2, expiresAt: '2026-01-12T00:00:00.000Z' },
        sources: [],
        expectedEffects: [],
        packets: some,
      })
    expect(of(packets.slice(0, 1))).toBe(
      '0x08cb2b3b05b0b222ba9c098a37d30aad0fe184f1763a76290109723426de798e',
    )
    expect(of(packets)).not.toBe(of(packets.toReversed()))
  })

  it('are of a batch that reads back as the calls that it was made of', () => {
    const calls = [
      { to: commitment.to, value: 3n, data: commitment.data },
      { to: zeroAddress, value: 0n, data: '0x' as const },
    ]
    expect(batchedCalls(batchData(calls))).toEqual(calls.map((call) => ({ ...call, operation: 0 })))
  })
})

describe('approved content', () => {
  it('counts each person once, and the preparer only as sole approver', () => {
    const approval = (userId: string, self: boolean) => ({
      userId,
      self,
      at: '2026-01-05T12:00:00.000Z',
      reviewEvidenceHash: golden,
    })
    const approvals = [approval('anna', true), approval('boris', false)]
    const review = { expiresAt: '2026-01-12T00:00:00.000Z' }
    expect(countedApprovals({ approvals, review: { ...review, required: 1 } })).toBe(2)
    expect(countedApprovals({ approvals, review: { ...review, required: 2 } })).toBe(1)
  })

  it('ends for packets without execution only', () => {
    const packets = (['EXECUTED', 'OPEN'] as const).map((state) => ({ state }))
    const over = ended({ phase: 'APPROVED', packets } as never, 'EXPIRED')
    expect([over.phase, ...over.packets.map(({ state }) => state)]).toEqual([
      ...['EXPIRED', 'EXECUTED', 'REVOKED'],
    ])
  })

  it('expects only named and known effects', () => {
    const expected = [{ asset: safe, minimumDelta: '-10', maximumDelta: '-5' }]
    const net = (delta: string, asset: string = safe.toLowerCase()) => [{ asset, delta }]
    expect(isExpected([], net('-1'), false)).toBe(true)
    expect(isExpected(expected, net('-10'), true)).toBe(true)
    expect(isExpected(expected, net('-11'), true)).toBe(false)
    expect(isExpected(expected, net('-7'), false)).toBe(false)
    expect(isExpected(expected, [], true)).toBe(false)
    expect(isExpected(expected, [...net('-7'), ...net('1', 'native')], true)).toBe(false)
    expect(isExpected(expected, [...net('-7'), ...net('0', 'native')], true)).toBe(true)
  })
})
