import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { describe, expect } from 'vitest'
import { chainTest } from './support/fixtures.ts'
import {
  bootstrap,
  bootstrapExample,
  capital,
  diversify,
  hashOf,
  type LegacyDocument,
  ladder,
  limits,
  maintain,
} from './support/legacy-documents.ts'
import { type ObservedVenue, observedVenue } from './support/observed-venue.ts'
import { callOperation, type TestResponse } from './support/requests.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

interface Wrapped {
  strategy: { id: string; status: string; evidenceHashes: string[]; resourceVersion: string } & {
    payload: Static<typeof contract.StrategyDefinitionV2>
  }
  compilation: Static<typeof contract.StrategyCompilation>
  wrapper: Static<typeof contract.StrategyWrapper>
}

const it = chainTest.extend('observed', { scope: 'file' }, ({ service, testChain, owner }) =>
  observedVenue(service, owner, testChain),
)

function wrap(
  owner: TestMember,
  observed: ObservedVenue,
  v1Kind: string,
  written: LegacyDocument,
  { by = owner, payload = {}, ...more }: { by?: TestMember; payload?: object } & object = {},
): Promise<TestResponse<Wrapped>> {
  // What is undefined is not sent.
  const document = JSON.parse(JSON.stringify(written)) as LegacyDocument
  return callOperation(by, 'wrapLegacyStrategyDefinition', {
    body: {
      payload: {
        v1Kind,
        v1Document: document,
        v1EvidenceHash: hashOf(document),
        ...observed,
        ...payload,
      },
      reason: 'For the test',
    },
    ...more,
  })
}

describe('a v1 document', () => {
  it('of a bootstrap is a full range, base above the price and a range, until base is sold', async ({
    owner,
    observed,
  }) => {
    const { status, data } = await wrap(owner, observed, 'BOOTSTRAP', bootstrap())
    expect([status, data.strategy.status]).toEqual([201, 'DRAFT'])
    const { definition } = data.strategy.payload
    expect(definition).toMatchObject({
      objective: 'BOOTSTRAP',
      capital: { maxBase: capital.base, maxQuote: capital.quote },
      positions: [
        { positionId: 'stabilizer', weightPips: 300_000, template: { kind: 'FULL_RANGE' } },
        {
          positionId: 'ladder',
          weightPips: 500_000,
          template: { kind: 'LADDER', side: 'BASE', count: 4, growthPips: 250_000 },
        },
        { positionId: 'discovery', weightPips: 150_000, template: { kind: 'RANGE' } },
      ],
      idlePips: 50_000,
      rules: [],
      end: { when: { kind: 'BASE_SHARE', below: 400_001 }, do: 'HOLD' },
      guards: { maxSwapSlippagePips: 15_000, oracleMaxAgeSeconds: null, pauseOn: [] },
    })
    expect(data.compilation).toMatchObject({ ok: true, irHash: expect.stringMatching(/^0x/) })
    // One full range, four rungs and a range.
    expect(data.compilation.preview).toHaveLength(6)
    expect(data.strategy.payload.wrapper).toEqual(data.wrapper)
  })

  it('of maintenance is three ranges that volatility, inventory and the price lay again', async ({
    owner,
    observed,
  }) => {
    const { data } = await wrap(owner, observed, 'MAINTAIN', maintain())
    const { rules, positions, idlePips } = data.strategy.payload.definition
    expect(positions.map(({ template }) => template.kind)).toEqual([
      'RANGE',
      'VOL_SCALED',
      'SINGLE_SIDED',
    ])
    expect(idlePips).toBe(50_000)
    expect(rules.map(({ when, do: action }) => [when.kind, action])).toEqual([
      ['VOL_RATIO', { kind: 'RECENTER', swap: false }],
      ['BASE_SHARE', { kind: 'RECENTER', swap: true }],
      ['OUT_OF_RANGE', { kind: 'RECENTER', swap: false }],
    ])
    expect(data.compilation.bounds.actionsPerDay).toBe(12)
    const unbounded = { targetBaseSharePips: 1, minBaseSharePips: 0, maxBaseSharePips: 1_000_000 }
    const free = await wrap(owner, observed, 'MAINTAIN', maintain({ inventory: unbounded }))
    expect(free.data.strategy.payload.definition.rules).toHaveLength(2)
  })

  it('of diversification is base above the price, until enough is sold', async ({
    owner,
    observed,
  }) => {
    const { data } = await wrap(owner, observed, 'DIVERSIFY', diversify())
    expect(data.strategy.payload.definition).toMatchObject({
      objective: 'DIVERSIFY',
      capital: { maxBase: capital.base, maxQuote: '0' },
      positions: [{ weightPips: 1_000_000, template: { kind: 'LADDER', side: 'BASE' } }],
      rules: [
        {
          when: { kind: 'EVERY', seconds: 43_200 },
          do: { kind: 'COLLECT_TO_IDLE', side: 'QUOTE' },
          maxPerDay: 2,
        },
      ],
      end: { when: { kind: 'SOLD_BASE', amount: '400000000000000000' }, do: 'WITHDRAW' },
    })
    expect(data.compilation.preview.every(({ quote }) => quote === '0')).toBe(true)
  })

  it.for([
    ['BOOTSTRAP', bootstrap()],
    ['MAINTAIN', maintain()],
    ['DIVERSIFY', diversify()],
  ] as const)(
    'of %s has every member told where it went',
    async ([kind, document], { owner, observed }) => {
      const { data } = await wrap(owner, observed, kind, document)
      const leaves = (value: unknown, prefix: string): string[] =>
        typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([name, member]) =>
              leaves(member, prefix === '' ? name : `${prefix}.${name}`),
            )
          : [prefix]
      const sent = JSON.parse(JSON.stringify(document))
      expect(data.wrapper.mapped.map(({ from }) => from)).toEqual(leaves(sent, '').sort())
      expect(data.wrapper.unmapped).toEqual([])
    },
  )

  it('is kept as the bytes that have its hash, and the strategy names it', async ({
    service,
    owner,
    observed,
  }) => {
    const document = JSON.parse(JSON.stringify(bootstrap({ name: 'Of nobody else' })))
    const { data } = await wrap(owner, observed, 'BOOTSTRAP', document)
    const hash = hashOf(document)
    expect(data.wrapper).toMatchObject({
      v1Kind: 'BOOTSTRAP',
      v1EvidenceHash: hash,
      artifactHash: hash,
    })
    expect(data.strategy.evidenceHashes).toEqual([hash])
    const { artifacts } = service.services
    const bytes = await artifacts.find(owner.organizationId, hash)
    expect(JSON.parse(bytes!.toString())).toEqual(document)
    const evidence = await owner.client.getStrategyEvidence({ params: { id: data.strategy.id } })
    expect(evidence.body.data.events).toMatchObject([
      { kind: 'strategy.wrapped', payload: { v1EvidenceHash: hash } },
    ])
  })

  it('that differs from the sealed bytes is rejected by its own hash', async ({
    owner,
    observed,
  }) => {
    const document = diversify()
    const payload = { v1EvidenceHash: hashOf({ ...document, name: 'Another' }) }
    const { status, code, fieldErrors } = await wrap(owner, observed, 'DIVERSIFY', document, {
      payload,
    })
    expect([status, code]).toEqual([422, 'LIQUIDITY_LEGACY_HASH_MISMATCH'])
    expect(fieldErrors['payload.v1EvidenceHash']?.[0]).toContain(hashOf(document))
  })

  it('may contain descriptions, which are reported and dropped', async ({ owner, observed }) => {
    const { data } = await wrap(
      owner,
      observed,
      'DIVERSIFY',
      diversify({
        description: 'Sold over the summer',
        ladder: { ...ladder, notes: ['wide'] },
        keeper: null,
      }),
    )
    expect(data.wrapper.unmapped.map(({ path }) => path).sort()).toEqual([
      'description',
      'keeper',
      'ladder.notes',
    ])
    const read = await owner.client.getStrategies({ params: { id: data.strategy.id } })
    expect(read.body.data.payload.wrapper).toEqual(data.wrapper)
  })

  it('that says more than v2 can say is refused at each such member, and nothing is kept', async ({
    owner,
    observed,
  }) => {
    const before = (await owner.client.listStrategies()).body.meta.count
    const { status, code, fieldErrors } = await wrap(
      owner,
      observed,
      'BOOTSTRAP',
      bootstrap({ stopLossPrice: 0.05, ladder: { ...bootstrapExample.ladder, skew: 'FRONT' } }),
    )
    expect([status, code]).toEqual([422, 'LIQUIDITY_LEGACY_UNMAPPED'])
    expect(Object.keys(fieldErrors).sort()).toEqual([
      'payload.v1Document.ladder.skew',
      'payload.v1Document.stopLossPrice',
    ])
    expect((await owner.client.listStrategies()).body.meta.count).toBe(before)
  })

  it('is kept with the incidents of its time, each once and none of the future', async ({
    owner,
    observed,
  }) => {
    const [one, other] = [`0x${'a1'.repeat(32)}`, `0x${'a2'.repeat(32)}`]
    const past = { openedAt: '2025-11-01T00:00:00.000Z', endedAt: '2025-11-02T00:00:00.000Z' }
    const incidents = [
      { evidenceHash: one, severity: 'CRITICAL', ...past },
      { evidenceHash: other, severity: 'WARNING', ...past, endedAt: null },
    ]
    const { status, data } = await wrap(owner, observed, 'BOOTSTRAP', bootstrap(), {
      payload: { incidents },
    })
    expect([status, data.wrapper.incidents]).toEqual([201, incidents])
    expect(data.strategy.payload.wrapper).toEqual(data.wrapper)
    const refused = await wrap(owner, observed, 'BOOTSTRAP', bootstrap(), {
      payload: {
        incidents: [
          { evidenceHash: one, severity: 'CRITICAL', ...past, endedAt: past.openedAt },
          { evidenceHash: one, severity: 'WARNING', ...past },
          { evidenceHash: other, severity: 'WARNING', ...past, openedAt: '2025-11-03T00:00:00Z' },
          {
            evidenceHash: `0x${'a3'.repeat(32)}`,
            severity: 'WARNING',
            openedAt: '2125-11-03T00:00:00Z',
            endedAt: null,
          },
        ],
      },
    })
    expect([refused.status, refused.code, refused.fieldErrors]).toEqual([
      422,
      'LIQUIDITY_LEGACY_INCIDENT_INVALID',
      {
        'payload.incidents.1.evidenceHash': ['must differ from the hash of incident 0'],
        'payload.incidents.2.endedAt': [
          'must be 2025-11-03T00:00:00.000Z or later, got 2025-11-02T00:00:00.000Z',
        ],
        'payload.incidents.3.openedAt': ['must not be in the future'],
      },
    ])
  })

  it('that rests on the age of an oracle price is refused there: nothing would look at it', async ({
    owner,
    observed,
  }) => {
    const aged = { ...limits, maxPriceAgeSeconds: 3600 }
    const { status, code, fieldErrors } = await wrap(
      owner,
      observed,
      'BOOTSTRAP',
      bootstrap({ limits: aged }),
    )
    expect([status, code, Object.keys(fieldErrors)]).toEqual([
      422,
      'LIQUIDITY_LEGACY_UNMAPPED',
      ['payload.v1Document.limits.maxPriceAgeSeconds'],
    ])
    expect(Object.values(fieldErrors)[0]?.[0]).toContain('no action depends on an oracle price')
  })

  it('with more or longer members than the limit is rejected as well', async ({
    owner,
    observed,
  }) => {
    const labelled = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`unset${index}`, null]))
    expect(
      (await wrap(owner, observed, 'DIVERSIFY', diversify(labelled(64)))).data.wrapper.unmapped,
    ).toHaveLength(64)
    const [many, long] = await Promise.all([
      wrap(owner, observed, 'DIVERSIFY', diversify(labelled(65))),
      wrap(owner, observed, 'DIVERSIFY', diversify({ ['x'.repeat(201)]: null })),
    ])
    expect([many.code, long.code]).toEqual(Array(2).fill('LIQUIDITY_LEGACY_UNMAPPED'))
    expect(Object.keys(many.fieldErrors)).toEqual(['payload.v1Document.unset64'])
    const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`gate${i}`, i]))
    const response = await wrap(owner, observed, 'DIVERSIFY', diversify(unknown))
    expect([response.code, Object.keys(response.fieldErrors).length]).toEqual([many.code, 50])
  })

  it('that does not compile is refused with the code of the compiler', async ({
    owner,
    observed,
  }) => {
    const weights = await wrap(
      owner,
      observed,
      'BOOTSTRAP',
      bootstrap({ stabilizer: { sharePips: 900_000 } }),
    )
    expect([weights.status, weights.code]).toEqual([422, 'LIQUIDITY_STRATEGY_WEIGHTS_SUM'])
    expect(Object.keys(weights.fieldErrors)).toEqual(['definition.positions'])
    const unguarded = { ...limits, maxSlippagePips: null }
    const swaps = await wrap(owner, observed, 'MAINTAIN', maintain({ limits: unguarded }))
    expect(swaps.code).toBe('LIQUIDITY_STRATEGY_GUARD_MISSING')
  })

  it('of another kind, or without a member, is no document of this kind', async ({
    owner,
    observed,
  }) => {
    const [kind, member] = await Promise.all([
      wrap(owner, observed, 'MAINTAIN', diversify()),
      wrap(owner, observed, 'DIVERSIFY', diversify({ sellBase: undefined })),
    ])
    expect([kind.status, member.status]).toEqual([400, 400])
    expect(Object.keys(member.fieldErrors)).toEqual(['payload.v1Document.sellBase'])
  })
})

describe('a wrapped strategy', () => {
  it('is made once under one key, and by those who may prepare', async ({
    service,
    owner,
    observed,
  }) => {
    const headers = { idempotencyKey: 'key-of-a-wrapper' }
    const [first, again] = [
      await wrap(owner, observed, 'DIVERSIFY', diversify(), headers),
      await wrap(owner, observed, 'DIVERSIFY', diversify(), headers),
    ]
    expect([first.isReplayed, again.isReplayed]).toEqual([false, true])
    expect(again.data).toEqual(first.data)
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect((await wrap(owner, observed, 'DIVERSIFY', diversify(), { by: viewer })).status).toBe(403)
    const foreignOwner = await newOrganization(service)
    const stolen = await wrap(owner, observed, 'DIVERSIFY', diversify(), { by: foreignOwner })
    expect([stolen.status, stolen.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
  })

  it('is changed like any other and keeps its earlier content', async ({ owner, observed }) => {
    const { data } = await wrap(owner, observed, 'DIVERSIFY', diversify())
    const { id, resourceVersion, payload } = data.strategy
    const { body } = await owner.client.supersedeStrategies({
      params: { id },
      ifMatch: resourceVersion,
      body: {
        payload: { ...payload.definition, name: 'Renamed' },
        reason: 'For the test',
      } as never,
    })
    expect(body.data.strategy.payload.wrapper).toEqual(data.wrapper)
  })
})
