// @module-tag long
// @covers apps/server/src/families/operate/liquidity-calls

import type { contract } from '@liquidity-os/contract'
import { erc20Abi, positionManagerAbi } from '@liquidity-os/localchain'
import { type Address, type Hex, parseEventLogs } from 'viem'
import { describe, expect } from 'vitest'
import { hostOf, type TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { test } from './support/fixtures.ts'
import { approvePositions, mintPosition } from './support/position-token.ts'
import { packetBody, propose, startDesk } from './support/proposing.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization } from './support/service.ts'
import { execute, observed, theVault, type Vaulted, vaulted } from './support/vaults.ts'

const it = test.extend('settings', { scope: 'file' }, ({ testChain }) => ({
  OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl),
}))

it.beforeAll(async ({ service, testChain }) => {
  await catchUp(testChain.chain, service)
})

const X36 = 10n ** 36n
const oneToken = 10n ** 18n

interface Scene extends Vaulted {
  readonly vaultId: string
  readonly venueId: string
  nonce: bigint
}

const prepare = ({ owner, vaultId, venueId }: Scene, query: object, manager: Address) =>
  callOperation<contract.LiquidityCalls>(owner, 'prepareLiquidityCalls', {
    params: { id: vaultId },
    query: { venueId, manager, ...query },
  })

async function prepared(scene: Scene, { chain }: TestChain, query: object) {
  const response = await prepare(scene, query, chain.contracts.positionManager)
  expect([response.code, response.fieldErrors]).toEqual(['', {}])
  return response.data
}

const balancesOf = ({ chain, markets }: TestChain, holder: Address) =>
  Promise.all(
    markets.tokens.slice(0, 2).map((address) =>
      chain.publicClient.readContract({
        address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [holder],
      }),
    ),
  )

/** Executes the calls one after another with the signatures of two owners. */
async function executeAll(test: TestChain, scene: Scene, { packets }: contract.LiquidityCalls) {
  const logs = []
  for (const call of packets.flat()) {
    const { to, data } = call as { to: Address; data: Hex }
    const mined = await execute(test, scene.safe, { to, data, nonce: scene.nonce })
    scene.nonce += 1n
    logs.push(...mined.logs)
  }
  return logs
}

async function allowancesOf({ chain, markets }: TestChain, safe: Address) {
  return Promise.all(
    markets.tokens.slice(0, 2).map((address) =>
      chain.publicClient.readContract({
        address,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [safe, chain.contracts.positionManager],
      }),
    ),
  )
}

describe('calls of a deposit and a withdrawal', () => {
  it('move the amounts that the operation states, on genuine contracts', async ({
    service,
    testChain,
  }) => {
    const desk = await startDesk(testChain, service)
    const scene: Scene = {
      ...desk,
      vaultId: desk.vault.id,
      venueId: String(desk.vault.payload.venues[0]?.id),
      nonce: 0n,
    }
    const full = await prepared(scene, testChain, {
      change: 'ADD',
      base: `${oneToken / 10n}`,
      quote: `${oneToken / 10n}`,
    })
    const price = BigInt(full.priceX36)
    const opened = await prepared(scene, testChain, {
      change: 'ADD',
      lowX36: `${(price * 9n) / 10n}`,
      highX36: `${(price * 12n) / 10n}`,
      base: `${oneToken / 10n}`,
      quote: `${oneToken / 10n}`,
    })
    expect(opened.packets.flat().map(({ functionName }) => functionName)).toEqual([
      ...['approve', 'approve', 'mint', 'approve', 'approve'],
    ])
    expect(BigInt(opened.lowX36)).toBeLessThanOrEqual((price * 9n) / 10n)
    expect(BigInt(opened.highX36)).toBeGreaterThanOrEqual((price * 12n) / 10n)
    expect(Math.abs(opened.tickLower % 60)).toBe(0)
    // A narrower range turns the same amounts into more liquidity.
    expect(BigInt(opened.liquidity)).toBeGreaterThan(BigInt(full.liquidity))

    const [calls = [], ...series] = opened.packets.map((packet) =>
      packet.map(({ to, value, data }) => ({ to, value, data })),
    )
    const [base, quote] = testChain.markets.tokens
    const limitsOf = (asset: Address, most: bigint, least: string) => ({
      asset,
      minimumDelta: `-${most}`,
      maximumDelta: `-${least}`,
    })
    const proposal = await propose(
      desk.analyst,
      packetBody(service, desk, calls, {
        action: { actionType: 'VENUE_CALLS' },
        ...(series.length > 0 && { series: series.map((packet) => ({ calls: packet })) }),
        expectedEffects: [
          limitsOf(base, oneToken / 10n, opened.minimum.base),
          limitsOf(quote, oneToken / 10n, opened.minimum.quote),
        ],
      }),
    )
    expect([proposal.code, proposal.fieldErrors]).toEqual(['', {}])
    const { simulation, packets } = proposal.data.payload
    expect(simulation.packets.map(({ outcome }) => outcome)).toEqual(
      opened.packets.map(() => 'SUCCESS'),
    )
    expect(packets.map(({ decodedCalls }) => decodedCalls)).toEqual(opened.packets)
    // The execution moves exactly the stated amounts, within the declared limits.
    expect(simulation.effects).toMatchObject([
      { delta: `-${opened.expected.base}`, isWithin: true },
      { delta: `-${opened.expected.quote}`, isWithin: true },
    ])

    const before = await balancesOf(testChain, scene.safe)
    const logs = await executeAll(testChain, scene, opened)
    const after = await balancesOf(testChain, scene.safe)
    expect(before.map((amount, index) => `${amount - (after[index] ?? 0n)}`)).toEqual([
      ...[opened.expected.base, opened.expected.quote],
    ])
    expect(await allowancesOf(testChain, scene.safe)).toEqual([0n, 0n])
    const [minted] = parseEventLogs({
      abi: positionManagerAbi,
      logs,
      eventName: 'IncreaseLiquidity',
    })
    const tokenId = `${minted?.args.tokenId}`
    expect(`${minted?.args.liquidity}`).toBe(opened.liquidity)

    // A price move of less than the tolerance does not stop the next deposit.
    const grown = await prepared(scene, testChain, {
      change: 'ADD',
      tokenId,
      base: `${oneToken / 20n}`,
      quote: `${oneToken / 20n}`,
      slippagePips: 20_000,
    })
    expect([grown.tickLower, grown.tickUpper]).toEqual([opened.tickLower, opened.tickUpper])
    await testChain.markets.swap(true, oneToken / 50n)
    const [held] = await balancesOf(testChain, scene.safe)
    await executeAll(testChain, scene, grown)
    const [left] = await balancesOf(testChain, scene.safe)
    expect((held ?? 0n) - (left ?? 0n)).toBeGreaterThanOrEqual(BigInt(grown.minimum.base))

    const half = await prepared(scene, testChain, {
      change: 'REMOVE',
      tokenId,
      sharePips: 500_000,
    })
    expect(half.packets.flat().map(({ functionName }) => functionName)).toEqual([
      ...['decreaseLiquidity', 'collect'],
    ])
    expect(half.owed).not.toBeNull()
    const held1 = await balancesOf(testChain, scene.safe)
    await executeAll(testChain, scene, half)
    const held2 = await balancesOf(testChain, scene.safe)
    const sums = (['base', 'quote'] as const).map(
      (side) => `${BigInt(half.expected[side]) + BigInt(half.owed?.[side] ?? 0)}`,
    )
    expect(held2.map((amount, index) => `${amount - (held1[index] ?? 0n)}`)).toEqual(sums)
  })

  it('are rejected with the reason if the position or the input does not fit', async ({
    service,
    testChain,
  }) => {
    const owner = await newOrganization(service)
    const vaultedScene = await vaulted(testChain, owner)
    await observed(service, vaultedScene)
    const vault = await theVault(owner)
    const scene: Scene = {
      ...vaultedScene,
      vaultId: vault.id,
      venueId: String(vault.payload.venues[0]?.id),
      nonce: 0n,
    }
    const { positionManager } = testChain.chain.contracts
    const other = testChain.chain.accounts[2]!.address
    await approvePositions(testChain)
    const foreign = await mintPosition(testChain, {
      recipient: other,
      fee: 3000,
      tickLower: -600,
      tickUpper: 600,
      desired: oneToken / 100n,
    })
    await testChain.chain.mine(4)
    const faultsOf = async (query: object, manager: Address = positionManager) => {
      const { code, fieldErrors } = await prepare(scene, query, manager)
      return [code, fieldErrors]
    }
    const change = 'LIQUIDITY_POSITION_CHANGE_INVALID'
    expect(await faultsOf({ change: 'REMOVE', base: '1' })).toEqual([
      change,
      {
        'query.tokenId': ['is required for REMOVE'],
        'query.base': ['must be omitted for REMOVE'],
      },
    ])
    expect(await faultsOf({ change: 'ADD', lowX36: `${X36}` })).toEqual([
      change,
      {
        'query.base': ['must be above zero, or quote must be'],
        'query.highX36': ['is required with the other price'],
      },
    ])
    expect(await faultsOf({ change: 'REMOVE', tokenId: `${foreign}` })).toEqual([
      change,
      { 'query.tokenId': [`must be a position of the Safe ${scene.safe}, got one of ${other}`] },
    ])
    expect(await faultsOf({ change: 'REMOVE', tokenId: '999999' })).toEqual([
      change,
      { 'query.tokenId': ['999999 is burned or was never minted'] },
    ])
    expect(await faultsOf({ change: 'ADD', quote: '1000' })).toEqual([
      change,
      { 'query.base': ['must be above zero: the range needs this token at the current price'] },
    ])
    const [tooLong] = await faultsOf({ change: 'REMOVE', tokenId: '9'.repeat(78) })
    expect(tooLong).toBe('LIQUIDITY_INVALID_REQUEST')
    const most = '9'.repeat(77)
    const [unbounded] = await faultsOf({ change: 'ADD', base: '1000', quote: most })
    expect(unbounded).toBe('')
    expect(await faultsOf({ change: 'ADD', base: '1', quote: '1' }, other)).toEqual([
      'LIQUIDITY_MIGRATION_CONTRACT_UNKNOWN',
      { 'query.manager': [`${other} has no code`] },
    ])
    const stranger = await newOrganization(service)
    const unseen = await prepare({ ...scene, owner: stranger }, { change: 'ADD' }, positionManager)
    expect(unseen.status).toBe(404)
  })
})
