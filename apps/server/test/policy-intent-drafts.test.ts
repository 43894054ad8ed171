import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import { expireDrafts } from '../src/families/operate/autonomy-policies/draft-records.ts'
import { dayMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { catchUp } from './support/custody.ts'
import { chainTest } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization } from './support/service.ts'
import { observed, theVault, type Vault, type Vaulted, vaulted } from './support/vaults.ts'

type Draft = VersionedRecord<contract.PolicyIntentDraft>
type Written = { draft: Draft; comparison: contract.PolicyComparison | null }
type Compiled = Written & { compilation: contract.PolicyCompilation; policyActivated: boolean }

const it = chainTest
  .extend('scene', { scope: 'file' }, async ({ service, testChain }) => {
    await catchUp(testChain.chain, service)
    return vaulted(testChain, await newOrganization(service))
  })
  .extend('vault', { scope: 'file' }, async ({ service, scene }) => {
    await observed(service, scene)
    return theVault(scene.owner)
  })
  .extend('symbol', { scope: 'file' }, ({ testChain, vault }) =>
    testChain.chain.publicClient.readContract({
      address: vault.payload.pair.quote as `0x${string}`,
      abi: [
        {
          type: 'function',
          name: 'symbol',
          stateMutability: 'view',
          inputs: [],
          outputs: [{ type: 'string' }],
        },
      ],
      functionName: 'symbol',
    }),
  )

const reason = 'For the test'
const words = (symbol: string, change: readonly string[] = []) =>
  [
    'level prepare',
    `at most 2.5 ${symbol} per transaction; daily limit 10k ${symbol}`,
    '- slippage max 0.5 %',
    '- only contracts @uniswap-v3-swap-router # the one pool',
    `- only assets ONE and TWO`,
    '- only adapters uniswap-v3-swap-router, erc20-allowance',
    'Wait at least 1 hour between actions. Oracle age at most 5 minutes.',
    'expires in 30 days',
    'never public mempool',
    `price between 0.5 ${symbol} and 2 ${symbol}`,
    ...change,
  ].join('\n')
const draft = (scene: Vaulted, vault: Vault, text: string, more: object = {}) =>
  callOperation<Written>(scene.owner, 'createPolicyIntentDrafts', {
    body: { payload: { vaultId: vault.id, text, baseline: 'NONE', ...more }, reason },
  })
const compile = (scene: Vaulted, { id, resourceVersion }: Draft) =>
  callOperation<Compiled>(scene.owner, 'compilePolicyIntent', {
    params: { id },
    ifMatch: resourceVersion,
    body: { reason },
  })

describe('a draft from words', () => {
  it('holds every limit with the words that say it, says them again, and compiles to one hash', async ({
    service,
    testChain,
    scene,
    vault,
    symbol,
  }) => {
    const { status, data } = await draft(scene, vault, words(symbol))
    expect(status).toBe(201)
    const { payload } = data.draft
    expect(payload).toMatchObject({
      unparsed: [],
      conflicts: [],
      missing: [],
      coveragePips: 1_000_000,
      candidate: {
        level: 2,
        maximumAmountPerTransaction: `${25n * 10n ** 17n}`,
        maximumDailyTurnover: `${10n ** 22n}`,
        maximumSlippagePips: 5_000,
        approvedContracts: [testChain.chain.contracts.swapRouter],
        controlEpoch: '1',
        expiresAt: '2026-02-04T12:00:00Z',
      },
    })
    for (const { provenance } of payload.values) {
      for (const statement of provenance) {
        if ('quote' in statement)
          expect(payload.text?.slice(statement.start, statement.end)).toBe(statement.quote)
      }
    }
    const again = await draft(scene, vault, payload.restated.join('\n'))
    expect(again.data.draft.payload.candidate).toEqual(payload.candidate)

    const compiled = await compile(scene, data.draft)
    expect([compiled.status, compiled.data.draft.status]).toEqual([200, 'VALIDATED'])
    const { compilation, comparison, policyActivated } = compiled.data
    expect([comparison?.relation, policyActivated, compilation.calls]).toEqual([
      'WIDER',
      false,
      null,
    ])
    expect(compilation.coverage.every(({ enforcedBy }) => enforcedBy === 'SERVICE_CHECK')).toBe(
      true,
    )
    const [target] = compilation.role.targets.filter(
      ({ address }) => address === testChain.chain.contracts.swapRouter,
    )
    const conditions = target!.functions[0]!.conditions
    expect(conditions[0]).toEqual({
      parent: 0,
      paramType: 'None',
      operator: 'And',
      compValue: '0x',
    })
    expect(conditions.every(({ parent }, index) => index === 0 || parent < index)).toBe(true)
    const once = await compile(scene, compiled.data.draft)
    expect(once.data.draft.resourceVersion).toBe(compiled.data.draft.resourceVersion)

    const { id, resourceVersion } = compiled.data.draft
    const check = await callOperation<contract.PolicyCheckResult>(
      scene.owner,
      'checkAutonomyPolicy',
      {
        body: {
          payload: {
            policy: { draft: { id, resourceVersion } },
            action: {
              kind: 'APPROVE',
              chainId: 31_337,
              adapterId: 'erc20-allowance',
              route: 'PRIVATE',
              calls: [{ to: vault.payload.pair.quote, value: '0', data: '0x' }],
            },
          },
          reason,
        },
      },
    )
    expect([check.status, check.data.policyHash]).toEqual([200, compilation.policyHash])
    const { database, artifacts } = service.services
    const { organizationId } = scene.owner
    expect((await verifyHistory(database, organizationId, artifacts)).faults).toEqual([])
  })

  it('is never compiled in part: ambiguous, duplicate or missing limits are named by position', async ({
    scene,
    vault,
    symbol,
  }) => {
    const text = `${words(symbol)}\nspend up to 1.000 ${symbol} per day\nlevel 3`.replace(
      'never public mempool\n',
      '',
    )
    const { data } = await draft(scene, vault, text)
    const at = text.indexOf('1.000')
    expect(data.draft.payload).toMatchObject({
      unparsed: [{ start: at, end: at + 5, quote: '1.000', code: 'AMBIGUOUS_NUMBER' }],
      conflicts: [{ field: 'level' }],
      missing: ['publicMempoolFallbackAllowed'],
      candidate: null,
      restated: [],
    })
    expect(data.comparison).toBeNull()
    const refused = await compile(scene, data.draft)
    expect([refused.status, refused.code]).toEqual([422, 'LIQUIDITY_POLICY_INTENT_NOT_COMPILABLE'])
    expect(Object.keys(refused.fieldErrors).sort()).toEqual(
      [
        'publicMempoolFallbackAllowed',
        'text[0..13]',
        `text[${at}..${at + 5}]`,
        `text[${text.length - 7}..${text.length}]`,
      ].sort(),
    )
    const unknown = await draft(scene, vault, 'level 1', { vaultId: `vault_${'0'.repeat(32)}` })
    expect([unknown.status, unknown.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    const inverted = words(symbol).replace('daily limit 10k', 'daily limit 1')
    const contradicts = await compile(scene, (await draft(scene, vault, inverted)).data.draft)
    expect([contradicts.status, contradicts.code]).toEqual([422, 'LIQUIDITY_POLICY_CAPS_INVERTED'])
  })

  it.for([
    ['at least 0.5', 'maximumPriceX18', 'no maximum price'],
    ['above 0.5', 'maximumPriceX18', 'no maximum price'],
    ['at most 2', 'minimumPriceX18', 'no minimum price'],
    ['below 2', 'minimumPriceX18', 'no minimum price'],
  ] as const)(
    'asks for the other bound of a price %s',
    async ([bound, other, answer], { scene, vault, symbol }) => {
      const text = words(symbol).replace(/price between .*$/m, `price ${bound} ${symbol}`)
      const { data } = await draft(scene, vault, text)
      expect(data.draft.payload).toMatchObject({ missing: [other], candidate: null, unparsed: [] })
      const refused = await compile(scene, data.draft)
      expect([refused.status, Object.keys(refused.fieldErrors)]).toEqual([422, [other]])
      const whole = await draft(scene, vault, `${text}\n${answer}`)
      const { missing, candidate, restated } = whole.data.draft.payload
      expect([missing, candidate !== null && other in candidate]).toEqual([[], false])
      expect(restated).toContain(answer)
      const again = await draft(scene, vault, restated.join('\n'))
      expect(again.data.draft.payload.candidate).toEqual(candidate)
    },
  )

  it('takes missing limits from the current policy, and marks them', async ({
    scene,
    vault,
    symbol,
  }) => {
    const compiled = await compile(scene, (await draft(scene, vault, words(symbol))).data.draft)
    const made = await callOperation<VersionedRecord<contract.AutonomyPolicy>>(
      scene.owner,
      'createAutonomyPolicies',
      { body: { payload: compiled.data.compilation.policy, reason } },
    )
    expect([made.status, made.data.payload.policyHash]).toEqual([
      ...[201, compiled.data.compilation.policyHash],
    ])
    const { data } = await draft(scene, vault, 'slippage at most 10 pips', { baseline: 'CURRENT' })
    expect(data.comparison?.relation).toBe('NARROWER')
    const { id, resourceVersion } = made.data
    expect(data.draft.payload.values.find(({ field }) => field === 'level')).toMatchObject({
      value: 2,
      provenance: [{ baseline: { id, resourceVersion } }],
    })
    expect(data.draft.payload.candidate?.maximumSlippagePips).toBe(10)
  })
})

describe('a draft of limits', () => {
  it('is stored as sent, by a credential that may compile', async ({ scene, vault }) => {
    const policy = {
      level: 1,
      maximumSlippagePips: 7,
      approvedContracts: [],
      expiresAt: '2026-06-01T00:00:00Z',
    }
    const send = (payload: object) =>
      callOperation<Written>(scene.owner, 'createStructuredPolicyIntentDraft', {
        body: { payload: { vaultId: vault.id, baseline: 'NONE', ...payload }, reason },
      })
    const { data } = await send({ policy })
    expect(data.draft.payload).toMatchObject({
      text: null,
      extractor: 'STRUCTURED',
      candidate: null,
    })
    expect(data.draft.payload.missing).toEqual([
      ...['maximumAmountPerTransaction', 'maximumDailyTurnover', 'approvedAssets'],
      ...['approvedAdapterIds', 'minimumSecondsBetweenActions', 'oracleMaximumAgeSeconds'],
      'publicMempoolFallbackAllowed',
    ])
    const loose = await send({ policy: { ...policy, expiresAt: '2026-06-01T00:00:00.5Z' } })
    expect([loose.status, loose.code]).toEqual([422, 'LIQUIDITY_POLICY_NOT_CANONICAL'])
  })

  it('is over after thirty days', async ({ service, scene, vault, symbol }) => {
    const { data } = await draft(scene, vault, words(symbol))
    service.clock.advance(31 * dayMilliseconds)
    const owner = await newMember(service, scene.owner.organizationId, 'OWNER')
    const { id, resourceVersion } = data.draft
    const late = await callOperation(owner, 'compilePolicyIntent', {
      params: { id },
      ifMatch: resourceVersion,
      body: { reason },
    })
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_POLICY_INTENT_EXPIRED'])
    await expireDrafts(service.services)
    const { data: ended } = await callOperation<Draft>(owner, 'getPolicyIntentDrafts', {
      params: { id },
    })
    expect(ended.status).toBe('EXPIRED')
  })
})
