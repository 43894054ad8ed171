// @module-tag long
// @covers apps/server/src/families/operate/autonomy-policies

import type { contract } from '@liquidity-os/contract'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  numberToHex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { expect } from 'vitest'
import { startTestChain, type TestChain } from './support/chain.ts'
import { catchUp } from './support/custody.ts'
import { pullPrices } from './support/executing.ts'
import { priceTest, started } from './support/fixtures.ts'
import { type Call, callsOf, deadline, unit } from './support/liquidity.ts'
import { approved, carriedOut, packetBody, proposed, startDesk } from './support/proposing.ts'
import { callOperation } from './support/requests.ts'
import { observed, receiptsOf } from './support/vaults.ts'

/** Published addresses on Base, from the packages that the adapter packs name. */
const base = {
  chainId: 8453,
  positionManager: '0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1',
  v2Router: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
  universalRouter: '0x6fF5693b99212Da76ad316178A184AB56D299b43',
  multiSendCallOnly: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
} as const
const reason = 'For the test'

/** Slots of the position manager that its constructor writes. */
const maxSlots = 24

/** A local chain with the id of Base and the genuine builds at the published addresses. */
async function startBase(): Promise<TestChain> {
  const test = await startTestChain({ chainId: base.chainId })
  const { publicClient, testClient, contracts } = test.chain
  const place = async (from: Address, address: Address, change = (code: Hex) => code) => {
    const bytecode = await publicClient.getCode({ address: from })
    await testClient.setCode({ address, bytecode: change(bytecode!) })
    for (let slot = 0; slot < maxSlots; slot += 1) {
      const index = numberToHex(slot)
      const value = await publicClient.getStorageAt({ address: from, slot: index })
      if (BigInt(value!) !== 0n) {
        await testClient.setStorageAt({
          address,
          index: numberToHex(slot, { size: 32 }),
          value: value!,
        })
      }
    }
  }
  await place(contracts.positionManager, base.positionManager)
  await place(contracts.multiSendCallOnly, base.multiSendCallOnly)
  // One other instruction: a build that nobody published.
  const changed = (code: Hex): Hex => `${code.slice(0, -2) as Hex}00`
  await place(contracts.uniswapV2Router, base.v2Router, changed)
  await test.chain.mine(4)
  return test
}

const it = priceTest
  .extend('testChain', { scope: 'file' }, started(startBase))
  .extend('desk', { scope: 'file' }, async ({ service, testChain, priceSource }) => {
    await catchUp(testChain.chain, service)
    const desk = await startDesk(testChain, service)
    await pullPrices(service, desk.owner, testChain, priceSource)
    await catchUp(testChain.chain, service)
    await observed(service, desk)
    const created = await callOperation(desk.owner, 'createAutonomyPolicies', {
      body: { payload: limitsOf(testChain, desk.vault), reason },
    })
    expect(created.status).toBe(201)
    // Blocks from now on are later than the policy.
    service.clock.advance(600_000)
    await catchUp(testChain.chain, service)
    await observed(service, desk)
    return desk
  })

const limitsOf = (
  test: TestChain,
  vault: { id: string; payload: contract.QualifiedVault },
): contract.AutonomyPolicyInput => ({
  vaultId: vault.id,
  level: 2,
  maximumSlippagePips: 20_000,
  controlEpoch: vault.payload.controlEpoch,
  maximumAmountPerTransaction: `${4n * unit}`,
  maximumDailyTurnover: `${10n * unit}`,
  approvedContracts: [base.positionManager, base.v2Router, base.universalRouter],
  approvedAssets: [...test.markets.tokens],
  approvedAdapterIds: [
    'erc20-allowance',
    'uniswap-universal-router',
    'uniswap-v2-liquidity',
    'uniswap-v3-positions',
  ],
  minimumSecondsBetweenActions: 0,
  oracleMaximumAgeSeconds: 3600,
  expiresAt: '2026-06-01T00:00:00Z',
  publicMempoolFallbackAllowed: false,
})

const ruleOf = ({ rules }: Pick<contract.PolicyCheckResult, 'rules'>, id: string) =>
  rules.find(({ ruleId }) => ruleId === id)!

it('a two-call liquidity packet on Base is allowed, executed and compliant', async ({
  service,
  testChain,
  desk,
}) => {
  const { approve, mint } = callsOf(testChain, desk.safe, base.positionManager)
  const [token0] = testChain.markets.tokens
  // A range above the price takes the first token only.
  const oneSided = mint(unit, 0n, { tickLower: 600, tickUpper: 1200 })
  const packet = await proposed(
    desk.analyst,
    packetBody(service, desk, [approve(token0, unit, base.positionManager), oneSided], {
      title: 'Provide liquidity',
      action: { actionType: 'VENUE_CALLS', route: 'PRIVATE' },
    }),
  )
  const { policyCheck, safeTx } = packet.payload.packets[0]!
  expect(policyCheck?.rules.filter(({ outcome }) => outcome !== 'ALLOW')).toEqual([])
  expect([policyCheck?.verdict, policyCheck?.block.chainId, safeTx.to]).toEqual([
    'ALLOW',
    base.chainId,
    base.multiSendCallOnly,
  ])
  await carriedOut(testChain, await approved(desk, packet.id))
  await catchUp(testChain.chain, service)
  await observed(service, desk)
  const [receipt] = await receiptsOf(desk.owner)
  expect([receipt?.payload.verdict, receipt?.payload.reconciliation]).toEqual([
    'COMPLIANT',
    'MATCHED',
  ])
})

const router = parseAbi([
  'function execute(bytes commands, bytes[] inputs, uint256 deadline)',
  'function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
])

it('another build and an unknown router command are not allowed', async ({ testChain, desk }) => {
  const [token0, token1] = testChain.markets.tokens
  const { approve } = callsOf(testChain, desk.safe)
  const check = async (calls: readonly Call[], adapterId: string) => {
    const { data } = await callOperation<contract.PolicyCheckResult>(
      desk.owner,
      'checkAutonomyPolicy',
      {
        body: {
          payload: {
            policy: { inline: limitsOf(testChain, desk.vault) },
            action: {
              kind: 'ADD_LIQUIDITY',
              chainId: base.chainId,
              adapterId,
              route: 'PRIVATE',
              calls: calls.map((call) => ({ value: '0', ...call })),
            },
          },
          reason,
        },
      },
    )
    return data
  }
  const least = (unit * 99n) / 100n
  const add = encodeFunctionData({
    abi: router,
    functionName: 'addLiquidity',
    args: [token0, token1, unit, unit, least, least, desk.safe, deadline],
  })
  const other = await check(
    [
      approve(token0, unit, base.v2Router),
      approve(token1, unit, base.v2Router),
      { to: base.v2Router, data: add },
    ],
    'uniswap-v2-liquidity',
  )
  expect([other.verdict, ruleOf(other, 'R07')]).toMatchObject([
    'INDETERMINATE',
    {
      outcome: 'INDETERMINATE',
      explanation: expect.stringContaining(`${base.v2Router} is not the published build`),
    },
  ])
  const path = encodePacked(['address', 'uint24', 'address'], [token0, 3000, token1])
  const swap = encodeAbiParameters(parseAbiParameters('address, uint256, uint256, bytes, bool'), [
    desk.safe,
    unit,
    least,
    path,
    true,
  ])
  const transfer = encodeAbiParameters(parseAbiParameters('address, address, uint256'), [
    token1,
    testChain.chain.accounts[9]!.address,
    unit,
  ])
  const execute = (commands: Hex, inputs: Hex[]): Call => ({
    to: base.universalRouter,
    data: encodeFunctionData({
      abi: router,
      functionName: 'execute',
      args: [commands, inputs, deadline],
    }),
  })
  const hidden = await check(
    [execute(concatHex(['0x00', '0x05']), [swap, transfer])],
    'uniswap-universal-router',
  )
  expect([hidden.verdict, ruleOf(hidden, 'R15')]).toMatchObject([
    'DENY',
    { outcome: 'DENY', observed: 'execute.commands.1: command 0x05 is not readable' },
  ])
  const plain = await check([execute('0x00', [swap])], 'uniswap-universal-router')
  expect([ruleOf(plain, 'R15').outcome, ruleOf(plain, 'R08').observed]).toEqual([
    'ALLOW',
    `${unit}`,
  ])
  // No code is placed there, so the action as a whole is denied.
  expect(ruleOf(plain, 'R07').outcome).toBe('DENY')
})
