import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import {
  createSafe,
  deploySettlement,
  erc20Abi,
  type Settlement,
  signSafeMessage,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, maxUint256, zeroAddress } from 'viem'
import { orderDigestOf } from '../../src/families/operate/protected-execution/quotes/gpv2-order.ts'
import { quoteHashOf } from '../../src/families/operate/protected-execution/quotes/quote-typed-data.ts'
import { queueDue } from '../../src/jobs/schedules.ts'
import { startWorkers } from '../../src/service.ts'
import { daySeconds } from '../../src/units.ts'
import type { TestChain } from './chain.ts'
import { candlesOf, type PriceSource } from './price-source.ts'
import type { Desk } from './proposing.ts'
import { callOperation, type TestResponse } from './requests.ts'
import type { TestMember, TestService } from './service.ts'
import { until } from './until.ts'
import { execute, ownersOf } from './vaults.ts'

export type QuoteRequest = VersionedRecord<contract.QuoteRequest>
export type QuoteSet = VersionedRecord<contract.QuoteSet>
export type Plan = VersionedRecord<contract.ProtectedExecutionPlan>
export type Policy = VersionedRecord<contract.AutonomyPolicy>

const reason = 'For the test'
export const chainId = 31_337

/**
 * A desk whose Safe may trade, the settlement contracts, and two market makers: a Safe and a key.
 */
export interface ExecutionDesk extends Desk {
  readonly settlement: Settlement
  readonly keyMaker: Address
  readonly safeMaker: Address
}

const approveData = (spender: Address, amount = maxUint256): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })

export const solverOf = ({ chain }: TestChain) => chain.accounts[7]!.address
export const makerOf = ({ chain }: TestChain) => chain.accounts[5]!

/** Deploys the settlement and funds two makers with both tokens, which they let it and its relayer move. */
export async function withMakers(test: TestChain, desk: Desk): Promise<ExecutionDesk> {
  const { chain, markets } = test
  const settlement = await deploySettlement(chain, solverOf(test))
  const keyMaker = makerOf(test).address
  const owners = ownersOf(test).map(({ address }) => address)
  const safeMaker = await createSafe(chain, { owners, threshold: 2, saltNonce: 77n })
  let nonce = 0n
  for (const token of markets.tokens) {
    for (const to of [keyMaker, safeMaker]) {
      const args = [to, 10n ** 17n] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      await chain.send({ from: chain.accounts[0]!.address, to: token, data })
    }
    for (const spender of [settlement.relayer, settlement.settlement]) {
      await chain.send({ from: keyMaker, to: token, data: approveData(spender) })
      await execute(test, safeMaker, { to: token, data: approveData(spender), nonce })
      nonce += 1n
    }
  }
  return { ...desk, settlement, keyMaker, safeMaker }
}

/** Publishes a feed price of one quote per base, five minutes ago. */
export async function pullPrices(
  service: TestService,
  owner: TestMember,
  test: TestChain,
  source: PriceSource,
): Promise<void> {
  const now = () => Math.floor(service.clock.read() / 1000)
  source.answer = ({ searchParams }) =>
    candlesOf(searchParams, { grid: 300, now: now(), closeAt: () => '1' })
  const [base, quote] = test.markets.tokens
  const key = (token: string) => `eip155:${test.chain.chainId}/erc20:${token.toLowerCase()}`
  const feed = {
    feed: 'base-quote',
    kind: 'CANDLE',
    exchange: 'kraken',
    symbol: 'ONE/TWO',
    timeframe: '5m',
    since: new Date((now() - (now() % daySeconds)) * 1000).toISOString(),
    base: key(base),
    baseDecimals: 18,
    quote: key(quote),
    quoteDecimals: 18,
  }
  const payload = {
    providerId: 'exchange',
    kind: 'MARKET_DATA',
    displayName: 'Exchange',
    endpoint: `${source.url}/v1`,
    configuration: { shape: 'CCXT', feeds: [feed] },
  }
  await owner.client.putOperatingSystemProvider({ body: { payload, reason } as never })
  service.clock.advance(400_000)
  await queueDue(service.services)
  const workers = await startWorkers(service.services)
  await until('the feed was read', async () => {
    const { data } = (await owner.client.listOperatingSystemJobs()).body
    return data.some(({ kind, status }) => kind === 'FEED_PULL' && status === 'COMPLETED')
  })
  await workers.stop()
}

export const policyInput = (
  test: TestChain,
  desk: ExecutionDesk,
  change: object = {},
): contract.AutonomyPolicyInput => ({
  vaultId: desk.vault.id,
  level: 2,
  maximumSlippagePips: 20_000,
  controlEpoch: '1',
  maximumAmountPerTransaction: `${10n ** 17n}`,
  maximumDailyTurnover: `${10n ** 18n}`,
  approvedContracts: [
    ...[test.chain.contracts.swapRouter, test.chain.contracts.uniswapV2Router],
    ...[desk.settlement.settlement, desk.settlement.relayer],
  ],
  approvedAssets: [...test.markets.tokens],
  approvedAdapterIds: [
    ...['cow-gpv2-order', 'erc20-allowance', 'uniswap-v2-router', 'uniswap-v3-swap-router'],
  ],
  minimumSecondsBetweenActions: 0,
  oracleMaximumAgeSeconds: 80_000,
  expiresAt: '2026-06-01T00:00:00Z',
  publicMempoolFallbackAllowed: false,
  ...change,
})

export const isoIn = (service: TestService, seconds: number): string =>
  `${new Date(service.clock.read() + seconds * 1000).toISOString().slice(0, 19)}Z`
export const secondsIn = (service: TestService, seconds: number): number =>
  Math.floor(service.clock.read() / 1000) + seconds

export const askBody = (service: TestService, desk: ExecutionDesk, change: object = {}) => ({
  vaultId: desk.vault.id,
  side: 'SELL',
  amountKind: 'EXACT_IN',
  amount: `${10n ** 15n}`,
  settlementContract: desk.settlement.settlement,
  respondBy: isoIn(service, 3_600),
  ...change,
})

export const ask = (desk: ExecutionDesk, payload: object) =>
  callOperation<QuoteRequest>(desk.owner, 'createProtectedExecutionQuoteRequest', {
    body: { payload, reason },
  })

let nonce = 100

/** A quote of the service's own type, signed by the key, or by both Safe owners. */
export async function rfqQuote(
  test: TestChain,
  service: TestService,
  desk: ExecutionDesk,
  request: QuoteRequest,
  terms: { by?: 'KEY' | 'SAFE'; signedAs?: object; change?: object } = {},
): Promise<Extract<contract.SignedQuote, { kind: 'LIQUIDITY_RFQ' }>> {
  const { payload } = request
  const isKey = (terms.by ?? 'KEY') === 'KEY'
  nonce += 1
  const message = {
    requestHash: payload.requestHash,
    maker: isKey ? desk.keyMaker : desk.safeMaker,
    taker: payload.taker,
    sellToken: payload.sellToken,
    buyToken: payload.buyToken,
    sellAmount: `${5n * 10n ** 14n}`,
    buyAmount: `${5n * 10n ** 14n - 10n ** 11n}`,
    minimumFillSellAmount: `${10n ** 14n}`,
    validFrom: secondsIn(service, -60),
    validUntil: secondsIn(service, 3_000),
    nonce: `${nonce}`,
    firm: true,
    ...terms.signedAs,
  }
  const digest = quoteHashOf(message, chainId, payload.settlementContract)
  const signature = await signedBy(test, desk, digest, isKey)
  return {
    kind: 'LIQUIDITY_RFQ',
    message: { ...message, ...terms.change },
    signature,
    makerKind: isKey ? 'EOA' : 'EIP1271',
  }
}

/** An order of GPv2 against what the vault sells, signed likewise. */
export async function orderQuote(
  test: TestChain,
  service: TestService,
  desk: ExecutionDesk,
  request: QuoteRequest,
  terms: { by?: 'KEY' | 'SAFE'; signedAs?: object } = {},
): Promise<Extract<contract.SignedQuote, { kind: 'GPV2_ORDER' }>> {
  const { payload } = request
  const isKey = (terms.by ?? 'KEY') === 'KEY'
  const maker = isKey ? desk.keyMaker : desk.safeMaker
  const order: contract.GPv2Order = {
    sellToken: payload.buyToken,
    buyToken: payload.sellToken,
    receiver: zeroAddress,
    sellAmount: `${4n * 10n ** 14n - 10n ** 10n}`,
    buyAmount: `${4n * 10n ** 14n}`,
    validTo: secondsIn(service, 3_000),
    appData: payload.requestHash,
    feeAmount: '0',
    kind: 'sell' as const,
    partiallyFillable: false,
    sellTokenBalance: 'erc20' as const,
    buyTokenBalance: 'erc20' as const,
    ...terms.signedAs,
  }
  const digest = orderDigestOf(order, chainId, payload.settlementContract)
  const signature = await signedBy(test, desk, digest, isKey)
  return { kind: 'GPV2_ORDER', maker, order, signature, makerKind: isKey ? 'EOA' : 'EIP1271' }
}

const signedBy = (test: TestChain, desk: ExecutionDesk, digest: Hex, isKey: boolean) =>
  isKey
    ? makerOf(test).sign({ hash: digest })
    : signSafeMessage(chainId, desk.safeMaker, digest, ownersOf(test).slice(0, 2))

export const admit = (desk: ExecutionDesk, { id }: QuoteRequest, quotes: readonly object[]) =>
  callOperation<contract.QuoteAdmission>(desk.owner, 'admitProtectedExecutionQuotesForRequest', {
    params: { id },
    body: { payload: { quotes }, reason },
  })

export const freeze = (desk: ExecutionDesk, request: QuoteRequest, more: object = {}) =>
  callOperation<QuoteSet>(desk.owner, 'admitProtectedExecutionQuoteSet', {
    body: { payload: { request: refOf(request), ...more }, reason },
  })

export const refOf = ({ id, resourceVersion }: { id: string; resourceVersion: string }) => ({
  id,
  resourceVersion,
})

export const plan = (
  service: TestService,
  desk: ExecutionDesk,
  set: QuoteSet,
  policy: Policy,
  change: object = {},
) => {
  const { gas, ...constraints } = change as { gas?: object }
  return callOperation<Plan>(desk.owner, 'prepareProtectedExecutionPlan', {
    body: {
      payload: {
        quoteSet: refOf(set),
        policy: refOf(policy),
        constraints: {
          maximumSlippagePips: 10_000,
          maximumLegs: 4,
          deadline: isoIn(service, 7_200),
          routes: ['SIGNED_QUOTE', 'PRIVATE'],
          ...constraints,
        },
        ...(gas ? { gas } : {}),
      },
      reason,
    },
  })
}

export const planState = async (desk: ExecutionDesk, { id }: Plan) =>
  (
    await callOperation<contract.ExecutionPlanState>(desk.owner, 'getProtectedExecutionPlanState', {
      params: { id },
    })
  ).data

/** A transition of a leg on what its state shows now. */
export async function move(
  desk: ExecutionDesk,
  of: Plan,
  legIndex: number,
  to: string,
  more: object = {},
): Promise<TestResponse<OperatingSystemEvent>> {
  const state = await planState(desk, of)
  const head = state.legs[legIndex]?.head ?? of.artifactHash
  const { ifMatch = state.resourceVersion, ...body } = more as { ifMatch?: string }
  return callOperation<OperatingSystemEvent>(desk.owner, 'appendProtectedExecutionLegTransition', {
    params: { id: of.id },
    ifMatch,
    body: { legIndex, to, previousTransitionHash: head, reason, ...body },
  })
}

export const refusal = ({ status, code }: TestResponse<unknown>) => [status, code]

export async function made<Data>(pending: Promise<TestResponse<Data>>): Promise<Data> {
  const response = await pending
  if (response.status !== 201)
    throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return response.data
}
