import type { TestChain } from '../support/chain.ts'
import { catchUp } from '../support/custody.ts'
import {
  admit,
  ask,
  askBody,
  type ExecutionDesk,
  freeze,
  isoIn,
  made,
  orderQuote,
  type Policy,
  plan,
  planState,
  policyInput,
  pullPrices,
  refOf,
  rfqQuote,
  withMakers,
} from '../support/executing.ts'
import type { PriceSource } from '../support/price-source.ts'
import { approved, packetBody, proposed } from '../support/proposing.ts'
import { callOperation } from '../support/requests.ts'
import type { TestService } from '../support/service.ts'
import { observed } from '../support/vaults.ts'
import type { Scene, Staged } from './scene.ts'
import { deskOf, ofVault, type Vaulted } from './vaulted.ts'

const reason = 'For the walk'
const evidenceHashes = [`0x${'ab'.repeat(32)}`]

const desks = new WeakMap<TestService, Promise<ExecutionDesk>>()

/** The Safe that was read and makers who may settle with it, once for a service; the vault is of the organization. */
async function deskIn({ test, service, owner, vault }: Vaulted): Promise<ExecutionDesk> {
  const making = async (): Promise<ExecutionDesk> => withMakers(test, await deskOf(test, service))
  const desk = desks.get(service) ?? making()
  desks.set(service, desk)
  return { ...(await desk), owner, vault }
}

interface Market {
  readonly policy: Policy
  readonly test: TestChain
  readonly service: TestService
  readonly desk: ExecutionDesk
  readonly venue: Vaulted['venue']
}

/** A market of a vault with a policy that lets it trade. */
const ofDesk = (stage: (market: Market) => Promise<Staged>): Scene =>
  ofVault(async (vaulted) => {
    const desk = await deskIn(vaulted)
    const body = { payload: policyInput(vaulted.test, desk), reason }
    const policy = await made(callOperation<Policy>(desk.owner, 'createAutonomyPolicies', { body }))
    return stage({ ...vaulted, desk, policy })
  })

const createQuoteRequest = ({ service, desk }: Market) => made(ask(desk, askBody(service, desk)))

/** A quote request, with an order and a quote of the service's own type. */
async function quoted(market: Market) {
  const { test, service, desk } = market
  const request = await createQuoteRequest(market)
  const quotes = [
    await orderQuote(test, service, desk, request, { by: 'SAFE' }),
    await rfqQuote(test, service, desk, request),
  ]
  return { request, quotes }
}

const admitted = async (market: Market) => {
  const { request, quotes } = await quoted(market)
  await made(admit(market.desk, request, quotes))
  return request
}

export const executionScenes: Readonly<Record<string, Scene>> = {
  createProtectedExecutionQuoteRequest: ofDesk(async ({ service, desk }) => {
    const payload = askBody(service, desk, { makers: [desk.keyMaker], maximumMakerShare: 400_000 })
    return {
      bodies: [
        { payload, evidenceHashes, reason },
        // Rejected: this source does not exist.
        { payload: { ...payload, dispatch: ['nobody'] }, reason },
      ],
    }
  }),
  admitProtectedExecutionQuotesForRequest: ofDesk(async (market) => {
    const { request, quotes } = await quoted(market)
    return { request: { params: { id: request.id } }, bodies: [{ payload: { quotes }, reason }] }
  }),
  admitProtectedExecutionQuoteSet: ofDesk(async (market) => {
    const { desk, venue } = market
    const { request, quotes } = await quoted(market)
    const admission = await made(admit(desk, request, quotes.slice(0, 1)))
    const quoteHashes = admission.admitted.map(({ payload }) => payload.quoteHash)
    const payload = { request: refOf(request), pools: [refOf(venue)] }
    return {
      bodies: [
        { payload: { ...payload, quoteHashes }, evidenceHashes, reason },
        { payload: { ...payload, quotes }, reason },
      ],
    }
  }),
  prepareProtectedExecutionPlan: ofDesk(async (market) => {
    const { service, desk, venue, policy } = market
    const set = await made(freeze(desk, await admitted(market), { pools: [refOf(venue)] }))
    const constraints = {
      maximumSlippagePips: 10_000,
      maximumLegs: 4,
      deadline: isoIn(service, 7_200),
      routes: ['SIGNED_QUOTE', 'PRIVATE'],
      minimumFirmPips: 1,
      allowLastLook: true,
      includeInformational: true,
      maximumMakerShare: 900_000,
      settlementBufferSeconds: 30,
    }
    const gas = { nativePriceX18: `${10n ** 18n}`, baseFeeWei: '1' }
    const payload = { quoteSet: refOf(set), policy: refOf(policy), constraints, gas }
    return { bodies: [{ payload, evidenceHashes, reason }] }
  }),
}

/** The desk in its own organization, with a feed price and a later vault snapshot. */
async function pricedDesk(test: TestChain, service: TestService, source: PriceSource) {
  const shared = await deskOf(test, service)
  const desk = { ...((await desks.get(service)) ?? (await withMakers(test, shared))), ...shared }
  await pullPrices(service, desk.owner, test, source)
  service.clock.advance(900_000)
  await catchUp(test.chain, service)
  await observed(service, desk)
  const body = { payload: policyInput(test, desk), reason }
  const policy = await made(callOperation<Policy>(desk.owner, 'createAutonomyPolicies', { body }))
  const { data } = await callOperation<Vaulted['venue'][]>(desk.owner, 'listVenues')
  return { test, service, desk, policy, venue: data[0]! }
}

/** A plan of an order and the pool, and an approved packet that makes the call of the pool. */
async function planned(market: Market) {
  const { service, desk, policy, venue } = market
  const set = await made(freeze(desk, await admitted(market), { pools: [refOf(venue)] }))
  const of = await made(plan(service, desk, set, policy))
  const leg = of.payload.legs.find(({ kind }) => kind === 'POOL')!
  const call = leg.call!
  const allowances = of.payload.allowances.filter(({ spender }) => spender === call.to)
  const calls = [...allowances.map((one) => one.call), call].map((one) => ({ ...one }))
  const action = { actionType: 'VENUE_CALLS' }
  const { id } = await proposed(desk.analyst, packetBody(service, desk, calls, { action }))
  return { plan: of, leg, proposal: refOf(await approved(desk, id)) }
}

/** @param source publishes the base price, which determines whether a plan can be armed */
export function legScenes(source: () => PriceSource): Readonly<Record<string, Scene>> {
  const markets = new WeakMap<TestService, Promise<Market>>()
  return {
    appendProtectedExecutionLegTransition: async (_owner, test, service) => {
      const market = markets.get(service) ?? pricedDesk(test, service, source())
      markets.set(service, market)
      const { desk } = await market
      const { plan: of, leg, proposal } = await planned(await market)
      const { resourceVersion, legs } = await planState(desk, of)
      const body = (legIndex: number, to: string, more: object = {}) => ({
        legIndex,
        to,
        previousTransitionHash: legs[legIndex]?.head ?? of.artifactHash,
        resourceVersion,
        reason,
        ...more,
      })
      return {
        by: desk.owner,
        subject: of.id,
        request: { params: { id: of.id }, ifMatch: resourceVersion },
        bodies: [
          body(0, 'CANCELLED'),
          body(leg.legIndex, 'ARMED', { proposal }),
          // Rejected: an abandoned leg was never sent.
          body(0, 'CANCELLED', { transactionHash: evidenceHashes[0] }),
        ],
      }
    },
  }
}
