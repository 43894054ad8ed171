import type { Client } from '@liquidity-os/client'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import type { LaunchChain } from '../launch-chain.ts'
import { ether, type TokenDay } from './token-day.ts'

/**
 * Decisions that the demo desk leaves to people: a liquidity target for the next months, and an
 * owner change that awaits approval.
 */

const reason = 'For the board'
const monthMilliseconds = 30 * 86_400_000
const safeAbi = parseAbi(['function addOwnerWithThreshold(address owner, uint256 threshold)'])

export async function writeIntent(
  client: Client,
  { chain }: LaunchChain,
  { token, quote }: TokenDay,
  venueId: string,
): Promise<void> {
  const keyOf = (address: Address) => `eip155:${chain.chainId}/erc20:${address.toLowerCase()}`
  const dollars = (amount: bigint) => `${amount * ether}`
  const label = '100,000 dollars of depth within 2 %, on both sides'
  const known = (await client.listIntents()).body.data
  if (known.some(({ payload }) => payload.request.label === label)) return
  const depthQuote = dollars(100_000n)
  const time = (months: number) =>
    `${new Date(Date.now() + months * monthMilliseconds).toISOString().slice(0, 19)}Z`
  await client.createIntents({
    body: {
      payload: {
        objective: 'DEEPEN',
        label,
        token: keyOf(token),
        quote: keyOf(quote),
        reference: { kind: 'DECLARED', priceX18: `${ether / 4n}` },
        targets: [{ side: 'BOTH', movePips: 20_000, depthQuote }],
        shapes: [
          {
            shapeId: 'curve',
            sharePips: 1_000_000,
            feePips: 3_000,
            shape: { kind: 'V2' },
          },
        ],
        volatility: { kind: 'DECLARED', annualPips: 800_000 },
        limits: {
          maximumToken: dollars(50_000_000n),
          maximumQuote: dollars(12_000_000n),
          minimumPriceX18: `${ether / 8n}`,
          maximumPriceX18: `${ether / 2n}`,
          maximumOwnPoolSharePips: 1_000_000,
          venueAllow: [venueId],
          minimumRunwayMonths: 0,
        },
        horizon: { from: time(1), to: time(7) },
        success: [
          {
            metric: 'DEPTH_QUOTE',
            movePips: 20_000,
            comparator: 'GTE',
            value: depthQuote,
            windowDays: 30,
          },
        ],
      },
      status: 'VALIDATED',
      reason,
    } as never,
  })
}

/**
 * A packet that adds a fourth owner. It is decoded, simulated with the Safe bytecode, and awaits
 * approval.
 */
export async function proposeOwner(
  client: Client,
  { chain }: LaunchChain,
  vaultId: string,
): Promise<void> {
  const title = 'Add a fourth owner to the Safe'
  const known = (await client.listProposals({ query: { subject: vaultId } })).body.data
  if (known.some(({ payload }) => payload.title === title)) return
  const { payload } = (await client.getQualifiedVaultV2({ params: { id: vaultId } })).body.data
  const { safeAddress } = payload
  const newcomer = chain.accounts[4]?.address
  if (!newcomer) throw new Error('The local chain has no fifth account.')
  const args = [newcomer, 2n] as const
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'addOwnerWithThreshold', args })
  await client.createProposals({
    body: {
      payload: {
        title,
        summary: 'Two owners can still sign if two of the current three are unavailable.',
        vaultId,
        action: {
          actionType: 'OWNER_CHANGE',
          chainId: chain.chainId,
          safeAddress,
          calls: [{ to: safeAddress, value: '0', data }],
        },
        expectedEffects: [],
        review: {
          required: 1,
          expiresAt: new Date(Date.now() + monthMilliseconds).toISOString(),
        },
      },
      reason,
    } as never,
  })
}
