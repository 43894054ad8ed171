// @module-tag long
// @covers apps/server/src/drawing packages/drawing/src

import { basePath, responseExamples } from '@liquidity-os/contract'
import { testNetworksIn } from '@liquidity-os/contract/test-networks'
import { sha256Hex, type VersionedRecord } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import { printDeclarations } from '../../console/declarations/print.ts'
import { natureOf } from '../src/families/operate/migration-plans/step-records.ts'
import { loadFamilies } from '../src/families.ts'
import type { ResourceType } from '../src/store/records/resource-types.ts'
import { recordsOf } from './support/admissible.ts'
import { issue } from './support/credentials.ts'
import { it } from './support/fixtures.ts'
import { newMember, type TestMember, type TestService } from './support/service.ts'

interface Listed {
  name: string
  title: string
  description: string
  hash: string
  href: string
  table: { columns: string[]; rows: unknown[][] }
}

/** A request as a browser makes it: pictures stand beside the contract, so no client knows them. */
async function ask(
  service: TestService,
  by: TestMember,
  path: string,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(`${service.baseUrl}${path}`, {
    headers: {
      cookie: `${service.config.sessionCookie}=${by.cookie}`,
      'x-service-organization-id': by.organizationId,
      ...headers,
    },
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
  const body = isJson ? JSON.parse(text) : null
  return { status: answer.status, headers: answer.headers, text, body, code: body?.error?.code }
}

const examples = responseExamples as unknown as Record<string, { data: VersionedRecord<never> }>

/** A record of a family, with the payload that the examples of the contract show, or another. */
async function stored(
  service: TestService,
  owner: TestMember,
  operationId: string,
  change: object = {},
): Promise<string> {
  const { resourceType, payload: shown, status } = examples[operationId]!.data
  const { result } = shown as { result?: object }
  // The example of a study names series that nobody has stored.
  const isStudy = result && 'seriesArtifacts' in result
  const unsampled = isStudy ? { result: { ...result, seriesArtifacts: [] } } : {}
  const payload = { ...(shown as object), ...unsampled, ...change }
  const steps = (payload as { steps?: Parameters<typeof natureOf>[0][] }).steps ?? []
  const type = resourceType as ResourceType
  const isPlan = type === 'MigrationPlan'
  const { sealed, change: written } = recordsOf(service, owner).create(type, {
    status,
    payload,
    reason: 'For the test',
    event: isPlan ? 'migration_plan.created' : 'test.stored',
    ...(isPlan ? { eventPayload: { natures: steps.map(natureOf) } } : {}),
  })
  await service.services.committer.commit(written)
  return sealed.record.id
}

const listOf = async (service: TestService, owner: TestMember, family: string, id: string) => {
  const { status, body } = await ask(service, owner, `${basePath}/pictures/${family}/${id}`)
  expect([status, body?.error]).toEqual([200, undefined])
  return body.data as Listed[]
}

const families = [
  ['scores', 'getScores', 3],
  ['attributions', 'getAttributions', 4],
  ['anomalies', 'getAnomalies', 1],
  ['allocation-plans', 'getAllocationPlans', 4],
  ['treasury-assumptions', 'getTreasuryAssumptions', 2],
  ['treasury-reconciliations', 'getTreasuryReconciliation', 3],
  ['treasury-projections', 'getTreasuryProjection', 3],
  ['treasury-stress-tests', 'getTreasuryStressTests', 3],
  ['unlock-impacts', 'getUnlockImpacts', 2],
  ['migration-plans', 'getMigrationPlans', 4],
  ['incentive-programs', 'getIncentivePrograms', 5],
  ['agent-runs', 'getAgentRun', 3],
  ['decision-packs', 'getDecisionPack', 2],
  ['launch-plans', 'getLaunchPlans', 3],
  ['study-reports', 'getStudies', 2],
  ['venues', 'getVenues', 3],
  ['proposals', 'getProposals', 2],
  ['vaults', 'getQualifiedVaultV2', 3],
  ['autonomy-policies', 'getAutonomyPolicies', 1],
  ['market-maker-mandates', 'getMarketMakerMandates', 2],
  ['protected-execution', 'getProtectedExecutionPlans', 4],
  ['proposals', 'compareProposals', 1],
  ['workflows', 'getCompletedWorkflowRun', 2],
  ['partners', 'getPartners', 1],
  ['partners', 'getPartnerConsents', 1],
  ['partners', 'getPartnerDomainChallenge', 1],
] as const

it('are shown by the console of every family that draws', async () => {
  const shown = [...printDeclarations().files.values()].flatMap(({ drawnIn }) => drawnIn ?? [])
  const { pictures } = await loadFamilies()
  // Markets have a page of their own.
  const drawn = [...pictures.keys()].filter((moduleName) => moduleName !== 'market-map')
  expect([...new Set(shown)].sort()).toEqual(drawn.sort())
})

describe('the width of a picture', () => {
  it('is the requested layout, for every study chart with several layouts', async ({
    service,
    owner,
  }) => {
    const path = `${basePath}/pictures/study-reports/${await stored(service, owner, 'getStudies')}`
    const { body } = await ask(service, owner, `${path}?width=360`)
    const drawn = await Promise.all(
      (body.data as Listed[]).map(({ href }) => ask(service, owner, href)),
    )
    expect(drawn.map(({ status }) => status)).toEqual(drawn.map(() => 200))
    expect(drawn.map(({ text }) => /viewBox="0 0 360 /.test(text))).toContain(true)
    // Without a width a picture is that of a report.
    const usual = await ask(service, owner, body.data[0].href.replace('?width=360', ''))
    expect(usual.text).toMatch(/viewBox="0 0 760 /)
  })

  it.for(['279', '1601', '36.5', 'wide', '360&width=760'])(
    'is rejected as %s, with the expected and the received value',
    async (width, { service, owner }) => {
      const path = `${basePath}/pictures/study-reports/${await stored(service, owner, 'getStudies')}`
      const { status, body } = await ask(service, owner, `${path}?width=${width}`)
      expect(status).toBe(400)
      expect(body.error.fieldErrors['query.width']).toEqual([
        expect.stringMatching(/^must be a whole number from 280 to 1600, got ["[]/),
      ])
    },
  )
})

describe.each(families)('%s of %s', (family, operationId, count) => {
  it('list their pictures with tables, and serve each under its hash, the same every time', async ({
    service,
    owner,
  }) => {
    const id = await stored(service, owner, operationId)
    const listed = await listOf(service, owner, family, id)
    expect(listed).toHaveLength(count)
    const { rows } = await service.database.pool.query(
      'select body from records where id = $1 order by sequence desc limit 1',
      [id],
    )
    const isSimulated = testNetworksIn(`${rows[0]?.body}`).length > 0
    expect(listed.map(({ description }) => description.startsWith('SIMULATED'))).toEqual(
      listed.map(() => isSimulated),
    )
    for (const { name, href, hash, title, table } of listed) {
      expect(title.length).toBeGreaterThan(4)
      for (const row of table.rows) expect(row).toHaveLength(table.columns.length)
      const picture = await ask(service, owner, href)
      expect([picture.status, picture.headers.get('content-type')]).toEqual([
        ...[200, 'image/svg+xml; charset=utf-8'],
      ])
      expect(picture.text).toContain(`id="${name}-title"`)
      expect(`0x${sha256Hex(Buffer.from(picture.text))}`).toBe(hash)
      expect(picture.headers.get('etag')).toBe(`"${hash}"`)
      expect(picture.headers.get('cache-control')).toBe('private, no-cache')
      expect(picture.headers.get('content-security-policy')).toMatch(/^default-src 'none'; sandbox/)
      expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
      const again = await ask(service, owner, href, { 'if-none-match': `"${hash}"` })
      expect([again.status, again.text]).toEqual([304, ''])
    }
    expect(await listOf(service, owner, family, id)).toEqual(listed)
  })

  it('show another organization nothing, and nobody a picture that is not there', async ({
    service,
    owner,
    stranger,
  }) => {
    const id = await stored(service, owner, operationId)
    const path = `${basePath}/pictures/${family}/${id}`
    const [first] = await listOf(service, owner, family, id)
    const answers = [
      await ask(service, stranger, path),
      await ask(service, stranger, first!.href),
      await ask(service, owner, `${path}/another.svg`),
      await ask(service, owner, path.replace(/.{8}$/, '00000000')),
    ]
    expect(answers.map(({ status, code }) => [status, code])).toEqual(
      Array(4).fill([404, 'LIQUIDITY_RESOURCE_NOT_FOUND']),
    )
    const unauthenticated = await ask(service, { ...owner, cookie: 'nothing' }, path)
    expect(unauthenticated.status).toBe(401)
  })
})

it.for(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'nothing'])(
  'there is no family %s',
  async (name, { service, owner }) => {
    const { status, code } = await ask(
      service,
      { ...owner, cookie: '' },
      `${basePath}/pictures/${name}/x`,
    )
    expect([status, code]).toEqual([404, 'LIQUIDITY_ROUTE_NOT_FOUND'])
  },
)

describe('the guards of a family', () => {
  it('hold for its pictures: a scope that reads it, and a query that it knows', async ({
    service,
    owner,
  }) => {
    const id = await stored(service, owner, 'getAnomalies')
    const path = `${basePath}/pictures/anomalies/${id}`
    const tokenOf = async (scope: string) => {
      const { secret } = (await issue(owner, 'API_KEY', [scope])) as unknown as { secret: string }
      return secret
    }
    const statusOf = async (scope: string) =>
      (
        await ask(service, { ...owner, cookie: '' }, path, {
          authorization: `Bearer ${await tokenOf(scope)}`,
        })
      ).status
    expect([await statusOf('alerts:read'), await statusOf('studies:write')]).toEqual([200, 403])
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect((await ask(service, viewer, path)).status).toBe(200)
    const odd = await ask(service, owner, `${path}?size=large`)
    expect([odd.status, odd.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
  })

  it.for([
    ['an unknown family', 'secrets/score_1', 'LIQUIDITY_ROUTE_NOT_FOUND'],
    ['another form', 'scores/score_1/score-course.png', 'LIQUIDITY_ROUTE_NOT_FOUND'],
    ['a pair that is none', 'market-map/1-0x1-0x2', 'LIQUIDITY_RESOURCE_NOT_FOUND'],
    [
      'a pair without a venue',
      `market-map/1-0x${'1'.repeat(40)}-0x${'2'.repeat(40)}`,
      'LIQUIDITY_RESOURCE_NOT_FOUND',
    ],
  ] as const)('%s is not there', async ([_what, path, code], { service, owner }) => {
    const answer = await ask(service, owner, `${basePath}/pictures/${path}`)
    expect([answer.status, answer.code]).toEqual([404, code])
  })
})

describe('a record that abstains', () => {
  it.for([
    ['scores', 'getScores'],
    ['attributions', 'getAttributions'],
    ['anomalies', 'getAnomalies'],
    ['allocation-plans', 'getAllocationPlans'],
  ] as const)(
    'of %s is drawn with its reasons and no number',
    async ([family, operationId], { service, owner }) => {
      const id = await stored(service, owner, operationId, {
        state: 'ABSTAINED',
        reasons: ['NO_SAMPLES_AT_ALL'],
      })
      for (const { href, table } of await listOf(service, owner, family, id)) {
        const { text } = await ask(service, owner, href)
        expect(text).toContain('NO_SAMPLES_AT_ALL')
        expect(table.columns).toEqual(['reason'])
        const texts = [...text.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, words]) => words)
        expect(texts.every((words) => /NO_SAMPLES_AT_ALL|Nothing is said|: /.test(words!))).toBe(
          true,
        )
      }
    },
  )
})
