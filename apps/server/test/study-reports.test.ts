// @module-tag long
// @covers apps/server/src/families/simulate/studies apps/server/src/families/simulate/study-reports

import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import { contract, operationById } from '@liquidity-os/contract'
import { canonicalize, openEvent, sha256Hex } from '@liquidity-os/evidence'
import { readXlsx } from '@liquidity-os/sheet/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { publishedKeys } from '../src/access/signing-keys.ts'
import { verifyReportCommand } from '../src/cli/verify-report/command.ts'
import {
  studyReportKind,
  verifyReport,
} from '../src/families/simulate/study-reports/verify-report.ts'
import { compileSchema } from '../src/http/validators.ts'
import { startWorkers } from '../src/service.ts'
import { sql } from '../src/store/database/sql.ts'
import { expectAccessible, openPage, startBrowser } from './browser/browser.ts'
import { conformingFetch } from './support/conforming-fetch.ts'
import { issue } from './support/credentials.ts'
import { callOperation } from './support/requests.ts'
import { anotherNode, newMember, type TestMember } from './support/service.ts'
import {
  foreignOwner,
  owner,
  type Ref,
  recordsOf,
  service,
  startSharing,
  stopSharing,
  study,
  venue,
} from './support/sharing.ts'
import { until } from './support/until.ts'

let workers: Awaited<ReturnType<typeof startWorkers>>
beforeAll(async () => {
  await startSharing()
  workers = await startWorkers(service.services)
})
afterAll(async () => {
  await workers.stop()
  await stopSharing()
})

type Job = { id: string; kind: string; status: string; result?: contract.StudyReportJobResult }
const faultsOf = (value: unknown) => compileSchema(contract.StudyReport)(value) ?? {}
const resultFaultsOf = (value: unknown) => compileSchema(contract.StudyReportJobResult)(value) ?? {}
const otherKey = 'A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg='

type JobError = { error?: { code: string } }

async function ask(
  payload: object = {},
  { by = owner, id = study.id, ...more }: { by?: TestMember; id?: string } & LooseRequest = {},
) {
  const answer = await send(
    { ...by.options, fetch: conformingFetch },
    operationById.get('createSignedStudyReport')!,
    { params: { id }, body: { payload, reason: 'For the board' }, ...more },
  )
  const { data, error } = JSON.parse(await answer.text())
  return { status: answer.status, job: data as Job, code: error?.code as string | undefined, error }
}

const jobsOf = async (id = study.id, query: object = {}) =>
  (await owner.client.listStudyReportJobs({ params: { id }, query } as never)).body as unknown as {
    data: (Job & JobError)[]
    meta: { count: number; hasMore: boolean; nextCursor?: string }
  }

/** Asks for a report and waits for its files. */
async function report(payload: object = {}, id = study.id) {
  const { job } = await ask(payload, { id })
  await until('the report is there', async () => {
    const { data } = await jobsOf(id)
    return data.some((one) => one.id === job.id && ['COMPLETED', 'FAILED'].includes(one.status))
  })
  const ended = (await jobsOf(id)).data.find((one) => one.id === job.id)!
  expect(ended.error).toBeUndefined()
  const result = ended.result!
  const bytes = new Map<string, Buffer>()
  for (const { format, hash } of result.artifacts) {
    bytes.set(format, (await service.services.artifacts.find(owner.organizationId, hash))!)
  }
  const body = bytes.get('json')!
  expect(faultsOf(JSON.parse(body.toString()))).toEqual({})
  expect(resultFaultsOf(result)).toEqual({})
  return { result, bytes, body, json: JSON.parse(body.toString()) as contract.StudyReport }
}

/** A version of a study as its job would append it. */
async function generation(
  status: string,
  change: (payload: contract.SimulationStudy) => contract.SimulationStudy = (payload) => payload,
): Promise<Ref> {
  const records = recordsOf(owner)
  const current = await records.current<contract.SimulationStudy>('SimulationStudy', study.id)
  const { sealed, change: appended } = records.create('SimulationStudy', {
    status,
    payload: change(current!.record.payload),
    reason: 'For the test',
    event: 'study.test',
  })
  await service.services.committer.commit(appended)
  return sealed.record
}

describe('a report', () => {
  it('is a job with files that a third party can check', async () => {
    const { status, job } = await ask()
    expect([status, job.kind, job.status]).toEqual([201, 'STUDY_REPORT', 'QUEUED'])
    const { result, bytes, body, json } = await report()
    expect(result.artifacts.map(({ format }) => format)).toEqual([
      ...['json', 'html', 'pdf', 'csv', 'xlsx'],
    ])
    expect(json).toMatchObject({
      schemaVersion: 'study-report-v1',
      study: { id: study.id, resourceVersion: study.resourceVersion },
      state: 'COMPLETED',
      assessesMarketHealth: true,
      contentHash: result.contentHash,
      keyId: result.keyId,
      publicKey: result.publicKey,
    })
    expect(json.figures.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['WATERFALLS', 'NET_VS_HOLD', 'FEES_AND_LVR', 'PAIRED_DIFFERENCES']),
    )
    expect(await publishedKeys(service.database)).toMatchObject([
      { keyId: result.keyId, publicKey: result.publicKey, retiredAt: null },
    ])
    const renderings = ['html', 'pdf', 'csv', 'xlsx'].map((format) => ({
      name: `report.${format}`,
      bytes: bytes.get(format)!,
    }))
    const files = { body, renderings, key: result.publicKey, redraws: true }
    const { ok, isKeyPinned, checks } = await verifyReport(files, [studyReportKind])
    expect([ok, isKeyPinned, checks.filter((check) => !check.ok)]).toEqual([true, true, []])
    expect(checks.filter(({ code }) => code === 'REDRAWN')).toHaveLength(4)
    expect(bytes.get('pdf')!.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('has a workbook with live formulas, whose results are those of the verdict', async () => {
    const { bytes, json } = await report({ formats: ['xlsx'] })
    const book = readXlsx(bytes.get('xlsx')!)
    const verdict = await callOperation<contract.StudyVerdict>(owner, 'readStudyVerdict', {
      params: { id: study.id },
    })
    const { arms, inventory } = verdict.data
    expect(json.startValueQuote).toBe(inventory.valueQuote)
    const cells = book.sheets.Verdict!
    const runs = arms.flatMap(({ runs: own }) => own)
    const results = json.tables.find(({ id }) => id === 'results')!
    const hodl = results.rows.filter(([, model]) => model === null)
    expect(hodl.length).toBeGreaterThan(0)
    for (const index of hodl.keys()) expect(cells[`J${index + 2}`]?.text).toBe('0')
    const rows = runs.map((_, index) => index + 2 + hodl.length)
    const exact = rows.map((row) => cells[`J${row}`]?.text)
    expect(exact.toSorted()).toEqual(runs.map(({ netVsHodlQuote }) => netVsHodlQuote).toSorted())
    for (const row of rows) {
      expect(cells[`I${row}`]).toMatchObject({ formula: `E${row}-G${row}` })
      expect(cells[`K${row}`]).toMatchObject({ formula: `I${row}/C${row}` })
      const [start, net] = [`D${row}`, `J${row}`].map((place) => BigInt(cells[place]!.text!))
      // Pips are cut toward zero; the cell has more digits.
      expect(Math.trunc(Number(cells[`K${row}`]!.text) * 1e6) + 0).toBe(
        Number((net! * 1_000_000n) / start!),
      )
    }
    const file = await send({ ...owner.options, fetch: conformingFetch }, contract.downloadExport, {
      params: { view: `studies/${study.id}` },
      query: { as: 'xlsx' },
    })
    const exported = readXlsx(await file.bytes())
    expect(exported.sheets.Verdict?.J2?.text).toBe(cells.J2?.text)
    expect(exported.sheets.Sources).toEqual(book.sheets.Sources)
  })

  it('is checked with nothing of ours, as the documentation says', async () => {
    const { json, result } = await report({ formats: ['json'] })
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted)
      if (typeof value !== 'object' || value === null) return value
      const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
      return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]))
    }
    const bytesOf = (tag: string, value: object) =>
      Buffer.from(`liquidity-os/${tag}\n${JSON.stringify(sorted(value))}`)
    const { signature, ...body } = json
    const { contentHash, renderings: _, publicKey: __, keyId: ___, ...content } = body
    const digest = createHash('sha256').update(bytesOf('study-report-content/v1', content))
    expect(`0x${digest.digest('hex')}`).toBe(contentHash)
    const x = Buffer.from(result.publicKey, 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const bytes = bytesOf('study-report/v1', body)
    expect(verifySignature(null, bytes, key, Buffer.from(signature, 'base64'))).toBe(true)
  })

  it('has the same bytes and the same signature at every request, also after a restart', async () => {
    const first = await report()
    service.clock.advance(3_600_000)
    const second = await report()
    expect(second.result).toEqual(first.result)
    await workers.stop()
    const node = await anotherNode(service)
    workers = await startWorkers(node.services)
    onTestFinished(async () => {
      await workers.stop()
      workers = await startWorkers(service.services)
    })
    const third = await report()
    expect(third.result).toEqual(first.result)
    expect(third.json.signature).toBe(first.json.signature)
    const fewer = await report({ formats: ['csv'] })
    expect(fewer.result.artifacts.map(({ format }) => format)).toEqual(['json', 'csv'])
    expect(fewer.result.contentHash).toBe(first.result.contentHash)
    expect(fewer.json.signature).not.toBe(first.json.signature)
  })

  /** What was noted about the reports of a study. */
  async function notedOf(id: string) {
    const [rows = []] = await service.database.tenant(owner.organizationId, [
      sql`select body from events where organization_id = ${owner.organizationId}
        and subject_id = ${id} order by sequence`,
    ])
    return rows
      .map(({ body }) => openEvent(body!))
      .filter(({ kind }) => kind === 'study.report_signed')
      .map(({ payload }) => payload as { jobId: string; reportHash: string })
  }

  const allEnded = (id: string) =>
    until('all of them are there', async () =>
      (await jobsOf(id)).data.every(({ status }) => status === 'COMPLETED'),
    )

  it('is noted once for each of many that end together, however often a job runs', async () => {
    const second = await startWorkers((await anotherNode(service)).services)
    onTestFinished(() => second.stop())
    const { id } = await generation('COMPLETED')
    const requests = await Promise.all(
      Array.from({ length: 8 }, () => ask({ formats: ['json'] }, { id })),
    )
    await allEnded(id)
    const before = (await jobsOf(id)).data
    // As if the worker had died between the note and the end of the job.
    await service.database.pool.query(
      `update jobs set status = 'QUEUED', result = null where id = '${requests[0]!.job.id}'`,
    )
    requests.push(await ask({ formats: ['json'] }, { id }))
    await allEnded(id)
    const noted = await notedOf(id)
    const ids = noted.map(({ jobId }) => jobId)
    expect(ids.toSorted()).toEqual(requests.map(({ job }) => job.id).toSorted())
    expect(new Set(noted.map(({ reportHash }) => reportHash)).size).toBe(1)
    const results = [...before, ...(await jobsOf(id)).data].map(({ result }) => result)
    expect(new Set(results.map((result) => canonicalize(result))).size).toBe(1)
  })

  it('records the caller and the signed content', async () => {
    const { result } = await report()
    const [rows = []] = await service.database.tenant(owner.organizationId, [
      sql`select body from events where organization_id = ${owner.organizationId}
        and subject_id = ${study.id} order by sequence desc limit 1`,
    ])
    const { kind, actor, payload } = openEvent(rows[0]!.body!)
    expect([kind, actor.id]).toEqual(['study.report_signed', 'job:STUDY_REPORT'])
    expect(payload).toMatchObject({
      contentHash: result.contentHash,
      keyId: result.keyId,
      reason: 'For the board',
      requestedBy: { kind: 'SESSION', id: owner.userId },
    })
  })

  it.each(['PARTIAL', 'ABSTAINED'] as const)(
    'of a study that is %s says so and does not assess health',
    async (state) => {
      const { id } = await generation(state, (payload) => ({
        ...payload,
        result: {
          ...payload.result!,
          state,
          reasons: ['FIDELITY_BELOW_ALL'],
          // Even a result that claims otherwise.
          assessesMarketHealth: true,
          ...(state === 'ABSTAINED' ? { arms: [], feeBand: [], seriesArtifacts: [] } : {}),
        },
      }))
      const { json, bytes } = await report({}, id)
      expect([json.state, json.assessesMarketHealth]).toEqual([state, false])
      expect(json.headline).toContain(
        state === 'PARTIAL' ? 'Partial (FIDELITY' : 'Withheld (FIDELITY',
      )
      expect(json.findings).toContain('This report does not assess market health.')
      expect(bytes.get('html')!.toString()).toContain('does not assess market health')
      // The chain of the test is a local one; the words stand in the signed body, the page and the tables.
      const words = 'Local test chain: simulated market'
      expect(json.simulated).toEqual({ mark: 'SIMULATED', words })
      for (const format of ['html', 'csv'])
        expect(bytes.get(format)!.toString()).toContain(`SIMULATED · ${words}`)
      expect(json.figures.length > 0).toBe(state === 'PARTIAL')
      expect(json.tables.length > 0).toBe(state === 'PARTIAL')
    },
  )

  it('of a study on paths has fans, first passages and tested differences', async () => {
    const { body } = contract.runNonCustodialSandboxStudy.example
    const hold = { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } } as const
    const payload = { ...body.payload, arms: [...body.payload.arms, hold] }
    const created = await owner.client.createStudies({ body: { ...body, payload } as never })
    const { data } = created.body as unknown as { data: { id?: string; study?: { id: string } } }
    const id = data.id ?? data.study?.id ?? ''
    await until('the study has ended', async () => {
      const { status } = (await owner.client.getStudies({ params: { id } })).body.data
      return ['COMPLETED', 'PARTIAL'].includes(status)
    })
    const { json, bytes, result } = await report({}, id)
    expect(json.venue).toBeNull()
    expect(new Set(json.figures.map(({ kind }) => kind))).toEqual(
      new Set([
        'WATERFALLS',
        'NET_VS_HOLD',
        'DEPTH_OVER_TIME',
        'SLIPPAGE_BY_SIZE',
        'FEES_AND_LVR',
        'FIRST_PASSAGE',
        'PAIRED_DIFFERENCES',
      ]),
    )
    expect(json.gaps.map(({ code }) => code)).toContain('NO_LIQUIDITY_MAP')
    expect(json.tables.map(({ id: table }) => table)).toEqual(
      expect.arrayContaining(['results', 'risk', 'failure-probabilities', 'depth']),
    )
    expect(json.headline).toMatch(/Interval of the mean over \d+ paths/)
    const { data: verdict } = (await owner.client.readStudyVerdict({ params: { id } })).body
    expect(verdict.sentence).toBe(json.headline)
    // The mean lies within the bounds, and what only holds is no winner.
    for (const { armId, isBenchmark, netVsHodlQuote, runs } of verdict.arms) {
      const [low, mean, high] = [netVsHodlQuote.low, runs[0]!.netVsHodlQuote, netVsHodlQuote.high]
      expect(BigInt(low) <= BigInt(mean) && BigInt(mean) <= BigInt(high)).toBe(true)
      expect(isBenchmark).toBe(armId === 'hold' || armId.startsWith('benchmark-'))
    }
    const table = json.tables.find(({ id: one }) => one === 'vs-hodl')!
    expect(table.rows[0]?.[0]).toBe('HODL of the same inventory')
    expect(table.title).toContain('below 7 days')
    expect(json.gaps.map(({ code }) => code)).toContain('NO_ANNUAL_RATES')
    const means = verdict.arms.flatMap(({ runs }) => runs.map((one) => one.netVsHodlQuote))
    const vsHodl = table.columns.findIndex(({ name }) => name === 'vs HODL')
    expect(table.rows.slice(1).map((row) => row[vsHodl])).toEqual(means)
    expect(bytes.get('html')!.toString()).not.toMatch(/NaN|undefined/)
    const files = { body: bytes.get('json')!, renderings: [], key: result.publicKey, redraws: true }
    expect((await verifyReport(files, [studyReportKind])).ok).toBe(true)
    // A simulation has no verdict per run: its files start with the results over the paths.
    const exported = (as: 'csv' | 'xlsx') =>
      send({ ...owner.options, fetch: conformingFetch }, contract.downloadExport, {
        params: { view: `studies/${id}` },
        query: { as },
      })
    expect(json.tables[0]?.id).not.toBe('results')
    const book = readXlsx(await (await exported('xlsx')).bytes())
    expect(Object.keys(book.sheets).slice(0, 2)).toEqual([
      'Summary',
      'Net P&L over the price paths',
    ])
    const lines = (await (await exported('csv')).text()).trim().split('\r\n')
    expect(lines[0]).toMatch(/^candidate,paths,mean net P&L \[/)
    const results = json.tables.find(({ id: table }) => table === 'results')!
    expect(lines).toHaveLength(1 + results.rows.length)
  })

  it('is rejected for running, failed and missing studies, and for an unknown partner', async () => {
    const running = await generation('ACTIVE', (payload) => ({ ...payload, result: null }))
    const failed = await generation('FAILED', (payload) => ({ ...payload, result: null }))
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    const codes = await Promise.all([
      ask({}, { id: running.id }),
      ask({}, { id: failed.id }),
      ask({ resourceVersion: `0x${'9'.repeat(64)}` }),
      ask({ resourceVersion: running.resourceVersion }),
      ask({ brandPartnerId: 'partner_nobody' }),
      ask({}, { by: foreignOwner }),
      ask({}, { id: venue.id }),
      ask({}, { by: viewer }),
      ask({ formats: [] }),
      ask({ formats: ['docx'] }),
    ])
    expect(codes.map(({ status, code }) => [status, code])).toEqual([
      [409, 'LIQUIDITY_STUDY_NOT_TERMINAL'],
      [409, 'LIQUIDITY_STUDY_FAILED'],
      [409, 'LIQUIDITY_STUDY_GENERATION_MISMATCH'],
      [409, 'LIQUIDITY_STUDY_GENERATION_MISMATCH'],
      [422, 'LIQUIDITY_STUDY_REPORT_BRAND_UNKNOWN'],
      [404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
      [404, 'LIQUIDITY_RESOURCE_NOT_FOUND'],
      [403, 'LIQUIDITY_ROLE_REQUIRED'],
      [400, 'LIQUIDITY_INVALID_REQUEST'],
      [400, 'LIQUIDITY_INVALID_REQUEST'],
    ])
    expect(Object.keys(codes[4]!.error.fieldErrors)).toEqual(['payload.brandPartnerId'])
  })

  it('lists its jobs, newest first, page by page, and only those of its study', async () => {
    await report({ formats: ['json'] })
    await report({ formats: ['json'] })
    const all = (await jobsOf()).data
    expect(all.every(({ kind }) => kind === 'STUDY_REPORT')).toBe(true)
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    const first = await jobsOf(study.id, { limit: 1 })
    const second = await jobsOf(study.id, { limit: 1, cursor: first.meta.nextCursor })
    expect([...first.data, ...second.data]).toEqual(all.slice(0, 2))
    const other = await generation('COMPLETED')
    expect((await jobsOf(other.id)).data).toEqual([])
  })
})

describe('a report over HTTP', () => {
  const fetched = (
    by: TestMember | { options: ClientOptions },
    params: object,
    headers: Record<string, string> = {},
  ) =>
    send(
      { ...by.options, fetch: conformingFetch },
      operationById.get('format' in params ? 'downloadStudyReport' : 'downloadArtifact')!,
      { params: params as never, headers },
    )

  it('comes in every format, under its hash, and is shown or saved as it should be', async () => {
    const { result, bytes } = await report()
    const { contentHash } = result
    for (const { format, hash, mediaType } of result.artifacts) {
      const answer = await fetched(owner, { id: study.id, contentHash, format })
      expect([format, answer.status]).toEqual([format, 200])
      expect(Buffer.from(await answer.bytes())).toEqual(bytes.get(format))
      const { headers } = answer
      const isShown = format === 'html' || format === 'pdf'
      expect({
        type: headers.get('content-type'),
        etag: headers.get('etag'),
        cache: headers.get('cache-control'),
        sniff: headers.get('x-content-type-options'),
        place: headers.get('content-disposition'),
      }).toEqual({
        type: mediaType,
        etag: `"${hash}"`,
        cache: 'private, no-cache',
        sniff: 'nosniff',
        place: `${isShown ? 'inline' : 'attachment'}; filename="study-${hash.slice(2, 10)}.${format}"`,
      })
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
      const known = await fetched(
        owner,
        { id: study.id, contentHash, format },
        { 'if-none-match': `"${hash}"` },
      )
      expect([known.status, (await known.bytes()).length]).toEqual([304, 0])
      const saved = await fetched(owner, { contentHash: hash }, { range: 'bytes=0-9' })
      expect([saved.status, saved.headers.get('content-range')]).toEqual([
        206,
        `bytes 0-9/${bytes.get(format)!.length}`,
      ])
      expect(Buffer.from(await saved.bytes())).toEqual(bytes.get(format)!.subarray(0, 10))
      expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="artifact-/)
    }
  })

  it('supports range requests, and rejects one beyond the end', async () => {
    const { result, body } = await report()
    const params = { contentHash: result.artifacts[0]!.hash }
    const { length } = body
    const piece = async (range: string, more: Record<string, string> = {}) => {
      const answer = await fetched(owner, params, { range, ...more })
      const text = Buffer.from(await answer.arrayBuffer())
      return [answer.status, answer.headers.get('content-range'), text.length] as const
    }
    expect(await piece(`bytes=${length - 3}-`)).toEqual([
      206,
      `bytes ${length - 3}-${length - 1}/${length}`,
      3,
    ])
    expect(await piece('bytes=-5')).toEqual([206, `bytes ${length - 5}-${length - 1}/${length}`, 5])
    expect(await piece(`bytes=5-${length * 2}`)).toEqual([
      206,
      `bytes 5-${length - 1}/${length}`,
      length - 5,
    ])
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=9-3', 'bytes=-', 'bytes=a-b']) {
      expect([range, ...(await piece(range))]).toEqual([range, 200, null, length])
    }
    for (const range of [`bytes=${length}-`, 'bytes=-0']) {
      expect([range, ...(await piece(range)).slice(0, 2)]).toEqual([
        range,
        416,
        `bytes */${length}`,
      ])
    }
    const other = { 'if-range': `"0x${'1'.repeat(64)}"` }
    expect(await piece('bytes=0-9', other)).toEqual([200, null, length])
  })

  it('is served to a key that may read studies, and to no other', async () => {
    const { result } = await report()
    const { contentHash, artifacts } = result
    const paths = [
      { id: study.id, contentHash, format: 'pdf' },
      { contentHash: artifacts[2]!.hash },
    ]
    const issuer = await newMember(service, owner.organizationId, 'OWNER')
    const keyOf = async (scope: string) => {
      const { secret } = await issue(issuer, 'API_KEY', [scope])
      return { options: { ...owner.options, auth: { kind: 'bearer' as const, token: secret } } }
    }
    const [reader, other] = [await keyOf('studies:read'), await keyOf('scores:read')]
    for (const params of paths) {
      const read = await fetched(reader, params)
      expect([read.status, read.headers.get('ratelimit-policy')]).toEqual([
        200,
        expect.stringMatching(/^"studies:read"/),
      ])
      expect((await fetched(other, params)).status).toBe(403)
      expect((await fetched(foreignOwner, params)).status).toBe(404)
      const { auth: _, ...anonymous } = owner.options
      expect((await fetched({ options: anonymous }, params)).status).toBe(401)
    }
    // Observations are read by sessions alone.
    const listed = await owner.client.listOperatingSystemArtifacts({ query: { limit: 100 } })
    const sealed = listed.body.data.find(
      ({ producer }) => producer.resourceType === 'VenueObservation',
    )!
    expect((await fetched(owner, { contentHash: sealed.contentHash })).status).toBe(200)
    expect((await fetched(reader, { contentHash: sealed.contentHash })).status).toBe(403)
  })

  it('that is not there is 404, and damaged bytes are not sent', async () => {
    const { result } = await report({ formats: ['json', 'csv'] })
    const { contentHash, artifacts } = result
    const status = async (params: object) => (await fetched(owner, params)).status
    const none = `0x${'1'.repeat(64)}`
    expect(await status({ contentHash: none })).toBe(404)
    expect(await status({ id: study.id, contentHash: none, format: 'json' })).toBe(404)
    expect(await status({ id: study.id, contentHash, format: 'exe' })).toBe(400)
    const { hash } = artifacts.find(({ format }) => format === 'csv')!
    const update = (change: string) =>
      service.database.pool.query(
        `update artifacts set content = ${change} where content_hash = $1`,
        [hash],
      )
    await update(`content || 'x'::bytea`)
    const damaged = await fetched(owner, { contentHash: hash })
    await update('substring(content from 1 for length(content) - 1)')
    expect((await fetched(owner, { contentHash: hash })).status).toBe(200)
    expect([damaged.status, JSON.parse(await damaged.text()).error.code]).toEqual([
      503,
      'LIQUIDITY_ARTIFACT_DAMAGED',
    ])
  })
})

describe('a series over HTTP', () => {
  const series = async (name: string, query: object = {}, by: TestMember = owner) => {
    const answer = await send(
      { ...by.options, fetch: conformingFetch },
      operationById.get('readStudySeries')!,
      { params: { id: study.id, name }, query: query as never },
    )
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      text: await answer.text(),
    }
  }

  it('has exact points of a part of the time, thinned where they are too many, as JSON and as CSV', async () => {
    const { body } = await owner.client.getStudies({ params: { id: study.id } })
    const [sealed] = body.data.payload.result!.seriesArtifacts
    const whole = JSON.parse(
      (await service.services.artifacts.find(owner.organizationId, sealed!.hash))!.toString(),
    ) as { timestamp: number; netVsHold: string; buyQuote: string[] }[]
    expect(JSON.parse((await series(sealed!.name)).text)).toEqual(whole)
    const few = JSON.parse((await series(sealed!.name, { points: 3 })).text)
    expect(few).toHaveLength(Math.min(3, whole.length))
    expect([few[0], few.at(-1)]).toEqual([whole[0], whole.at(-1)])
    for (const point of few) expect(whole).toContainEqual(point)
    const at = new Date(whole[1]!.timestamp * 1000).toISOString()
    expect(JSON.parse((await series(sealed!.name, { from: at, to: at })).text)).toEqual([whole[1]])
    const csv = await series(sealed!.name, { as: 'csv' })
    expect(csv.type).toBe('text/csv; charset=utf-8; header=present')
    const [heads, first] = csv.text.split('\r\n').map((line) => line.split(','))
    expect(Object.fromEntries(heads!.map((head, index) => [head, first![index]]))).toMatchObject({
      timestamp: `${whole[0]!.timestamp}`,
      netVsHold: whole[0]!.netVsHold,
      'buyQuote.0': whole[0]!.buyQuote[0],
    })
    expect(csv.text.trim().split('\r\n')).toHaveLength(whole.length + 1)
  })

  it('an unknown one is rejected with the known ones', async () => {
    const { status, text } = await series('nobody.INELASTIC_INPUT')
    expect([status, JSON.parse(text).error.message]).toEqual([
      404,
      expect.stringMatching(/The study has no series .+\.INELASTIC_INPUT/),
    ])
    expect((await series('hold.INELASTIC_INPUT', {}, foreignOwner)).status).toBe(404)
  })
})

describe('the page of a report', () => {
  it('is public, requires no sign-in and has its own policy', async () => {
    const { bytes } = await report()
    const directory = mkdtempSync(join(tmpdir(), 'liquidity-page-'))
    writeFileSync(join(directory, 'report.html'), bytes.get('html')!)
    const browser = await startBrowser()
    onTestFinished(async () => {
      await browser.close()
      rmSync(directory, { recursive: true, force: true })
    })
    const context = await browser.newContext({ viewport: { width: 900, height: 1000 } })
    const visit = await openPage(context, 'none')
    await visit.page.goto(pathToFileURL(join(directory, 'report.html')).href)
    for (const summary of await visit.page.locator('summary').all()) await summary.click()
    await expectAccessible(visit.page)
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    // A script that somebody put into the page would not run.
    const script = `const script = document.createElement('script')
      script.textContent = 'globalThis.ran = true'
      document.body.append(script)
      'ran' in globalThis`
    const ran = await visit.page.evaluate(script)
    expect(ran).toBe(false)
  })
})

describe('liquidity verify-report', () => {
  let files: { directory: string; key: string; json: contract.StudyReport }
  beforeAll(async () => {
    const { bytes, result, json } = await report()
    const directory = mkdtempSync(join(tmpdir(), 'liquidity-report-'))
    for (const [format, content] of bytes)
      writeFileSync(join(directory, `report.${format}`), content)
    files = { directory, key: result.publicKey, json }
  })
  afterAll(() => rmSync(files.directory, { recursive: true, force: true }))

  const collector = (take: (text: string) => void) => ({
    write: (text: string) => {
      take(text)
      return true
    },
  })

  async function verify(...args: string[]) {
    let [stdout, stderr] = ['', '']
    const status = await verifyReportCommand({
      args: args.map((arg) => (arg.startsWith('@') ? join(files.directory, arg.slice(1)) : arg)),
      stdout: collector((text) => {
        stdout += text
      }),
      stderr: collector((text) => {
        stderr += text
      }),
    })
    return { status, stdout, stderr }
  }

  /** The report with a part of its text changed. */
  function altered(from: string, to: string): string {
    const text = canonicalize(files.json)
    expect(text).toContain(from)
    const changed = text.replace(from, to)
    const name = `altered-${sha256Hex(changed).slice(0, 10)}.json`
    writeFileSync(join(files.directory, name), changed)
    return `@${name}`
  }

  const all = [
    '--rendering',
    '@report.html',
    '--rendering',
    '@report.pdf',
    '--rendering',
    '@report.csv',
  ]

  it('reports a valid report, and requires a key if none is named', async () => {
    const held = await verify('@report.json', '--key', files.key, ...all)
    expect([held.status, held.stderr]).toEqual([0, ''])
    expect(held.stdout).toContain('report.pdf is the pdf listed in the report')
    expect(held.stdout).toMatch(/The report is valid\.\n$/)
    const unpinned = await verify('@report.json')
    expect(unpinned.status).toBe(3)
    expect(unpinned.stdout).toContain(`valid for the key ${files.key}`)
    const asJson = await verify('@report.json', '--key', files.key, '--json')
    expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: true, isKeyPinned: true })
  })

  const changes: Record<string, [change: () => [from: string, to: string], codes: string[]]> = {
    'a word': [() => [files.json.headline, 'Everything is well.'], ['CONTENT_HASH', 'SIGNATURE']],
    'a state': [() => ['"state":"COMPLETED"', '"state":"PARTIAL"'], ['CONTENT_HASH', 'SIGNATURE']],
    'an amount': [
      () => [`"${files.json.figures[0]!.rows[0]![3]}"`, '"1"'],
      ['CONTENT_HASH', 'FIGURE_DATA', 'SIGNATURE'],
    ],
    'a rendering': [() => [files.json.renderings[0]!.hash, `0x${'0'.repeat(64)}`], ['SIGNATURE']],
    'the key': [() => [files.key, otherKey], ['KEY', 'KEY_PINNED', 'SIGNATURE']],
  }

  it.each(Object.entries(changes))('finds that %s was changed', async (_what, [change, codes]) => {
    const { status, stdout } = await verify(altered(...change()), '--key', files.key, '--json')
    const { checks } = JSON.parse(stdout) as { checks: { code: string; ok: boolean }[] }
    expect(status).toBe(1)
    expect(checks.filter(({ ok }) => !ok).map(({ code }) => code)).toEqual(codes)
  })

  it('says what differs in a rendering, another spelling, and another key', async () => {
    writeFileSync(join(files.directory, 'wrong.pdf'), 'No report')
    writeFileSync(join(files.directory, 'pretty.json'), JSON.stringify(files.json, null, 2))
    const wrong = await verify('@report.json', '--key', files.key, '--rendering', '@wrong.pdf')
    const { byteLength, hash } = files.json.renderings.find(({ format }) => format === 'pdf')!
    expect(wrong.status).toBe(1)
    expect(wrong.stdout).toContain(`wrong.pdf has 9 bytes`)
    expect(wrong.stdout).toContain(`pdf has ${byteLength} bytes and hash ${hash}`)
    const pretty = await verify('@pretty.json', '--key', files.key)
    expect(pretty.stdout).toContain('WRONG CANONICAL')
    expect(pretty.stdout).toContain('the first difference is at byte 1')
    const other = await verify('@report.json', '--key', otherKey)
    expect([other.status, other.stdout.includes('WRONG KEY_PINNED')]).toEqual([1, true])
  })

  it('writes the pictures of a report that holds, and of no other', async () => {
    const directory = join(files.directory, 'pictures')
    const held = await verify('@report.json', '--key', files.key, '--pictures', directory)
    expect(held.status).toBe(0)
    expect(readdirSync(directory).sort()).toEqual(
      files.json.figures.map(({ id }) => `${id}.svg`).sort(),
    )
    expect(readFileSync(join(directory, 'fees-and-lvr.svg'), 'utf8')).toMatch(/^<svg xmlns=/)
    const none = join(files.directory, 'none')
    const wrong = altered('"state":"COMPLETED"', '"state":"PARTIAL"')
    expect((await verify(wrong, '--key', files.key, '--pictures', none)).status).toBe(1)
    expect(existsSync(none)).toBe(false)
  })

  it('rejects a file that is no report, a bad key and a missing file', async () => {
    const answers = await Promise.all([
      verify('@report.csv'),
      verify(altered('"schemaVersion":"study-report-v1"', '"schemaVersion":"study-report-v2"')),
      verify(altered('"headline":"', '"headlines":"')),
      verify('@absent.json'),
      verify('@report.json', '--key', 'short'),
      verify('@report.json', '--sign'),
      verify(),
    ])
    expect(answers.map(({ status }) => status)).toEqual([2, 2, 2, 2, 2, 2, 2])
    expect(answers[0]!.stderr).toContain('The file is not JSON')
    expect(answers[1]!.stderr).toContain('not a report of format study-report-v1: schemaVersion')
    expect(answers[2]!.stderr).toContain('headline')
    expect((await verify('--help')).status).toBe(0)
  })
})
