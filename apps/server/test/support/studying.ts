import { type LooseRequest, send } from '@liquidity-os/client'
import { contract, operationById } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { conformingFetch } from './conforming-fetch.ts'
import type { TestMember } from './service.ts'

export type Spec = Static<typeof contract.StudySpec>
export type Result = Static<typeof contract.StudyResult>
export type SimulatedArm = Static<typeof contract.SimulatedArmResult>
export type ReplayedArm = Static<typeof contract.ArmResult>

export interface StudyAnswer {
  status: number
  code: string | undefined
  fieldErrors: Record<string, string[]>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of several shapes.
  data: any
}

/** A Monte Carlo study of an inline pool at price 1 that runs in a fraction of a second. */
export const pathSpec = (change: Partial<Spec> = {}): Spec => ({
  ...structuredClone(contract.runNonCustodialSandboxStudy.example.body.payload as unknown as Spec),
  ...change,
})

const e18 = (amount: number) => `${BigInt(amount) * 10n ** 18n}`

/** An inline v3 pool at price one with a wide and a narrow range of others. */
export const inlinePool = {
  kind: 'UNISWAP_V3' as const,
  feePips: 3000,
  tickSpacing: 60,
  sqrtPriceX96: `${1n << 96n}`,
  ticks: [
    { index: -887_220, liquidityGross: e18(10_000), liquidityNet: e18(10_000) },
    { index: -1800, liquidityGross: e18(40_000), liquidityNet: e18(40_000) },
    { index: 1800, liquidityGross: e18(40_000), liquidityNet: `-${e18(40_000)}` },
    { index: 887_220, liquidityGross: e18(10_000), liquidityNet: `-${e18(10_000)}` },
  ],
}

/** An inline v2 pair at price one. */
export const inlinePair = {
  kind: 'UNISWAP_V2' as const,
  reserve0: `${10n ** 21n}`,
  reserve1: `${10n ** 21n}`,
  totalSupply: `${10n ** 21n}`,
}

/** Strategy definition without a venue. */
export function behaviour(): Extract<Spec['arms'][number], { definition: unknown }>['definition'] {
  const {
    pair: _,
    venue: __,
    ...definition
  } = structuredClone(
    contract.createStrategies.example.body.payload as unknown as Static<
      typeof contract.StrategyDefinitionV2Input
    >,
  )
  return definition
}

async function ask(by: TestMember, operationId: string, request: LooseRequest) {
  const operation = operationById.get(operationId)!
  const answer = await send({ ...by.options, fetch: conformingFetch }, operation, request)
  const { data, error } = JSON.parse(await answer.text())
  return {
    status: answer.status,
    code: error?.code,
    fieldErrors: error?.fieldErrors ?? {},
    data,
  } satisfies StudyAnswer
}

const reason = 'For the test'

export const study = (by: TestMember, payload: object, more: LooseRequest = {}) =>
  ask(by, 'createStudies', { body: { payload, reason }, ...more })

export const sandbox = (by: TestMember, payload: object, more: LooseRequest = {}) =>
  ask(by, 'runNonCustodialSandboxStudy', { body: { payload, reason }, ...more })

export const readStudy = (by: TestMember, id: string) => ask(by, 'getStudies', { params: { id } })
