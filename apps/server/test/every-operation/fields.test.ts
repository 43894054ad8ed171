// @module-tag long
// @covers packages/contract/src apps/server/src/families/simulate/studies

import { contract, extensionOperations, operations } from '@liquidity-os/contract'
import { expect } from 'vitest'
import { it } from '../support/fixtures.ts'
import { callOperation, type TestResponse } from '../support/requests.ts'
import { behaviour } from '../support/studying.ts'
import { attributionActs } from './attribution-acts.ts'
import { leavesOf, nameOf, variantsOf, withoutEcho } from './field-walk.ts'
import { hostScenes } from './host-scenes.ts'
import idleFields from './idle-fields.json' with { type: 'json' }
import { incentiveActs } from './incentive-acts.ts'
import { marketActs } from './market-acts.ts'
import { markets } from './market-scenes.ts'
import { migrationActs } from './migration-acts.ts'
import { passportActs } from './passport-acts.ts'
import { researchActs } from './research-acts.ts'
import { safeScenes } from './safe-scenes.ts'
import { scenes } from './scenes.ts'
import { tokenForms } from './token-forms.ts'
import { vaultScenes } from './vault-scenes.ts'

/**
 * Changes every member of a request and asks whether anything but its echo changes. What does not act stands in
 * `idle-fields.json` with the reason, which may only shrink. No operation with a body is left out.
 *
 * The suite walks one body of each operation. WALK=whole walks all of them, which takes minutes, and holds the list of what does
 * not act against everything that was found.
 */

interface Walk {
  readonly bodies: () => unknown[]
  /** Members of the answer that repeat the request. */
  readonly echoes: readonly string[]
}

/** With a seed of its own: else every member would change what is drawn, whatever else it does. */
const sandboxed = () => {
  const { payload, reason } = structuredClone(contract.runNonCustodialSandboxStudy.example.body)
  return { payload: { ...payload, seed: `0x${'7'.repeat(64)}` }, reason }
}
const studies = (): unknown[] => {
  const plain = sandboxed()
  const [arm] = plain.payload.arms
  const costs = {
    gas: { meanWei: `${10n ** 10n}`, persistencePips: 500_000, deviationPips: 100_000 },
    nativePriceX18: `${10n ** 18n}`,
    tipWei: `${10n ** 9n}`,
    l1DataFeeWei: `${10n ** 13n}`,
  }
  const payload = {
    ...plain.payload,
    arms: [{ ...arm, position: { kind: 'RANGE', lowerPips: 100_000, upperPips: 100_000 } }],
    minProfitQuote: `${10n ** 14n}`,
    sampleSeconds: 7200,
    halfWidthPips: 2500,
    costs,
    price: { ...plain.payload.price, annualDriftPips: 500_000 },
    flow: { ...plain.payload.flow, depthElasticityPips: 1_000_000 },
    others: { kind: 'EXIT_HAZARD', perYearMilli: 200_000, sharePips: 300_000 },
    targetBaseShare: { pips: 450_000, tolerancePips: 10_000 },
    bandsPips: [20_000],
  }
  const own = { armId: 'own', label: 'Its own', definition: behaviour() }
  return [
    plain,
    { ...plain, payload },
    { ...plain, payload: { ...plain.payload, arms: [own], actionLatencySeconds: 3600 } },
  ]
}

const walks: Readonly<Record<string, Walk>> = {
  runNonCustodialSandboxStudy: { bodies: studies, echoes: ['assumptions'] },
}

const served = [...operations, ...extensionOperations]
  .filter(({ body }) => body !== undefined)
  .map(({ id }) => id)

it('walks every operation with a body', () => {
  const unasked = () => {
    throw new Error('Only names are asked for.')
  }
  const staged = [
    scenes,
    vaultScenes(unasked),
    safeScenes(unasked),
    hostScenes(unasked),
    markets,
    marketActs,
    attributionActs,
    incentiveActs,
    migrationActs,
    passportActs,
    researchActs,
    tokenForms,
  ]
  const walked = [walks, ...staged].flatMap((one) => Object.keys(one))
  expect(walked.sort()).toEqual(served.sort())
})

const names = (response: TestResponse<unknown>, path: readonly string[]) =>
  Object.keys(response.fieldErrors ?? {}).some((field) => {
    const parent = field.split('.').slice(0, 3).join('.')
    return path.join('.').startsWith(field) || path.join('.').startsWith(parent)
  })

const isWhole = process.env.WALK === 'whole'
it.for(Object.entries(walks))(
  '%s does something with every member',
  async ([id, walk], { owner }) => {
    const idle = new Set<string>()
    const acting = new Set<string>()
    for (const body of isWhole ? walk.bodies() : walk.bodies().slice(0, 1)) {
      const first = await callOperation<unknown>(owner, id, { body: body as object })
      expect([200, 201], JSON.stringify(first.fieldErrors)).toContain(first.status)
      const usual = withoutEcho(first.data, walk.echoes)
      for (const path of leavesOf(body)) {
        const name = nameOf(path)
        if (acting.has(name)) continue
        for (const variant of variantsOf(body, path)) {
          const response = await callOperation<unknown>(owner, id, { body: variant as object })
          const isAnswered = response.status < 300
          const acts = isAnswered
            ? withoutEcho(response.data, walk.echoes) !== usual
            : response.status < 500 && names(response, path)
          if (acts && isAnswered) acting.add(name)
          if (acts) break
          if (isAnswered) idle.add(name)
        }
      }
    }
    const listed = Object.keys((idleFields as Record<string, object>)[id] ?? {})
    const found = [...idle].filter((name) => !acting.has(name))
    if (isWhole) expect(found.sort()).toEqual(listed.sort())
    else expect(found.filter((name) => !listed.includes(name))).toEqual([])
  },
)
