// @module-tag long
// @covers apps/server/src/families/platform/events apps/server/src/families/simulate/studies

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basePath } from '@liquidity-os/contract'
import { sha256Hex } from '@liquidity-os/evidence'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { verifyReportCommand } from '../src/cli/verify-report/command.ts'
import { hourMilliseconds } from '../src/units.ts'
import { expectAccessible, openPage, startBrowser } from './browser/browser.ts'
import { anotherNode, serviceForTest } from './support/service.ts'
import {
  capital,
  create,
  disclosure,
  foreignOwner,
  inTime,
  observation,
  owner,
  read,
  revoke,
  service,
  sharesOf,
  startSharing,
  stopSharing,
  strategy,
  study,
  venue,
} from './support/sharing.ts'

beforeAll(startSharing)
afterAll(stopSharing)

/** What a browser gets that opens the link. */
const pageAt = (slug: string, accept = 'text/html,application/xml;q=0.9,*/*;q=0.8') =>
  fetch(`${service.baseUrl}${basePath}/public/studies/${slug}`, { headers: { accept } })

const nothing = Object.fromEntries(Object.keys(disclosure).map((flag) => [flag, false]))

describe('a public read', () => {
  it('needs no credential, may be cached for a minute and is not to be indexed', async () => {
    const { share } = await create()
    const found = await read(share.payload.slug)
    expect(found.status).toBe(200)
    expect(found.headers.get('cache-control')).toBe('public, max-age=60')
    expect(found.headers.get('x-robots-tag')).toBe('noindex')
    const etag = found.headers.get('etag')!
    expect(etag).toBe(`"${sha256Hex(found.text)}"`)
    const again = await read(share.payload.slug, { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.get('x-robots-tag')]).toEqual([
      304,
      '',
      'noindex',
    ])
    const { result } = (await owner.client.getStudies({ params: { id: study.id } })).body.data
      .payload
    expect(found.data).toMatchObject({
      resourceVersion: study.resourceVersion,
      resultHash: result!.resultHash,
      superseded: false,
      organization: { name: 'Lighthouse Labs' },
      venue: { address: venue.payload.address, base: venue.payload.pair.base },
      capital,
      market: result!.market,
      assumptions: result!.evidence.assumptions,
    })
    expect(found.data.results.map(({ waterfallHolder }: never) => waterfallHolder)).toEqual(
      result!.arms.map(({ waterfallHolder }) => waterfallHolder),
    )
    expect(found.data.arms[1]).toMatchObject({
      kind: 'STRATEGY',
      strategy: { name: 'Follow the tide' },
    })
  })

  it('is the same on another node', async () => {
    const { share } = await create()
    const first = await read(share.payload.slug)
    const other = await read(share.payload.slug, {}, await anotherNode(service))
    expect(other.text).toBe(first.text)
  })

  it('returns the same for an unknown, a malformed, a revoked and an expired slug', async () => {
    const expiring = (await create({ expiresAt: inTime(hourMilliseconds) })).share
    const revoked = (await create()).share
    await revoke(revoked)
    service.clock.advance(hourMilliseconds)
    const slugs = ['no-such-share', 'X', "o'brien%22", expiring.payload.slug, revoked.payload.slug]
    const answers = await Promise.all(slugs.map((name) => read(name)))
    const said = answers.map(({ status, text, headers }) => {
      const { error } = JSON.parse(text)
      return JSON.stringify([status, { ...error, correlationId: '' }, headers.get('cache-control')])
    })
    expect(new Set(said).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 404, code: 'LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE' })
  })

  it('is limited for each client, with a retry time', async () => {
    const limited = await serviceForTest({ PUBLIC_REQUESTS_PER_MINUTE: '3' })
    for (let asked = 0; asked < 3; asked += 1) {
      expect((await read('no-such-share', {}, limited)).status).toBe(404)
    }
    const refused = await read('no-such-share', {}, limited)
    expect([refused.status, refused.code]).toEqual([429, 'LIQUIDITY_RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('rejects a share with a changed stored record', async () => {
    const { share } = await create()
    await service.database.pool.query(
      `update records set body = replace(body, '"showAmounts":true', '"showAmounts":false') where id = $1`,
      [share.id],
    )
    expect((await read(share.payload.slug)).status).toBe(500)
    await service.database.pool.query(
      `update records set body = replace(body, '"showAmounts":false', '"showAmounts":true') where id = $1`,
      [share.id],
    )
    expect((await read(share.payload.slug)).status).toBe(200)
  })
})

describe('a link in a browser', () => {
  it('shows a page with the results, without scripts and external requests', async () => {
    const { share } = await create()
    const { slug } = share.payload
    const answer = await pageAt(slug)
    const { headers } = answer
    expect([answer.status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ])
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*sandbox allow-downloads$/,
    )
    const html = await answer.text()
    expect(html).not.toMatch(/<script|javascript:|src=|onload/i)
    for (const format of ['html', 'pdf', 'csv', 'json']) {
      expect(html).toContain(`/public/studies/${slug}/reports/${format}"`)
    }
    expect(html.match(/<svg/g)?.length).toBeGreaterThan(2)
    const { data } = await read(slug)
    for (const { label } of data.arms) expect(html).toContain(label)
    expect(html).toContain(data.resultHash)
    const etag = headers.get('etag')!
    expect(etag).not.toBe((await read(slug)).headers.get('etag'))
    const again = await fetch(`${service.baseUrl}${basePath}/public/studies/${slug}`, {
      headers: { accept: 'text/html', 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
    for (const accept of ['application/json', '*/*', 'text/html, application/json']) {
      const response = await pageAt(slug, accept)
      expect([accept, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
        accept,
        'application/json; charset=utf-8',
        'Accept',
      ])
    }
  })

  it('is read by everybody, in a window of any width', async () => {
    const { share } = await create()
    const browser = await startBrowser()
    onTestFinished(() => browser.close())
    // The rules for accessible content are a script, which the page itself would not run.
    const context = await browser.newContext({
      viewport: { width: 390, height: 800 },
      bypassCSP: true,
    })
    const visit = await openPage(context, service.baseUrl)
    await visit.page.goto(`${service.baseUrl}${basePath}/public/studies/${share.payload.slug}`)
    await expectAccessible(visit.page)
    expect([visit.faults, visit.foreignRequests]).toEqual([[], []])
    const widths = 'document.documentElement.scrollWidth <= window.innerWidth'
    expect(await visit.page.evaluate(widths)).toBe(true)
  })
})

/** One file of a share. */
async function fetched(slug: string, path: string, headers: Record<string, string> = {}) {
  const url = `${service.baseUrl}${basePath}/public/studies/${slug}/${path}`
  const answer = await fetch(url, { headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString('latin1') }
}

/** How often something was drawn for readers of links, in this process. */
const renderingsMade = async () =>
  Number(
    /^liquidity_shared_renderings_total (\d+)$/m.exec(await service.services.metrics.print())![1],
  )

interface Figured {
  id: string
}

/** No file of a share tells what its JSON does not. */
async function expectNothingElse(slug: string, data: object, chosen: typeof disclosure) {
  const signed = await fetched(slug, 'reports/json')
  const body = JSON.parse(signed.bytes.toString()) as { study: object; figures: Figured[] }
  expect(body.study).toEqual(data)
  const paths = [
    ...['reports/html', 'reports/pdf', 'reports/csv', 'series/prices?as=csv'],
    ...body.figures.map(({ id }) => `pictures/${id}.svg`),
  ]
  const files = await Promise.all(paths.map((path) => fetched(slug, path)))
  expect(files.map(({ status }) => status)).toEqual(paths.map(() => 200))
  const text = [signed, ...files].map((file) => file.bytes.toString('utf8')).join('\n')
  const { result, spec } = (await owner.client.getStudies({ params: { id: study.id } })).body.data
    .payload
  const privateFigures = [
    ...[study.id, strategy.id, observation.id, venue.id, owner.organizationId],
    ...[result!.evidence.specHash, ...result!.seriesArtifacts.map(({ hash }) => hash)],
    'A reason that is nobody else’s business',
  ]
  for (const figure of privateFigures)
    expect([figure, text.includes(figure)]).toEqual([figure, false])
  const hidden: [boolean, string[]][] = [
    [chosen.showAmounts, [spec.capital.base, spec.capital.quote]],
    [chosen.showOrganization, ['Lighthouse Labs']],
    [chosen.showVenueAddress, [venue.payload.address]],
    [chosen.showAssumptions, ['FLOW_MODEL']],
  ]
  for (const [isShown, words] of hidden) {
    for (const word of words) expect([word, text.includes(word)]).toEqual([word, isShown])
  }
}

describe('the files of a link', () => {
  it('are those of the signed body, under their hashes, cached and harmless', async () => {
    const { slug } = (await create()).share.payload
    const signed = await fetched(slug, 'reports/json')
    const file = join(mkdtempSync(join(tmpdir(), 'shared-')), 'report.json')
    writeFileSync(file, signed.bytes)
    const body = JSON.parse(signed.bytes.toString()) as {
      publicKey: string
      figures: Figured[]
      renderings: { format: string; hash: string }[]
    }
    const kinds = { html: 'inline', pdf: 'inline', csv: 'attachment' }
    const renderings: string[] = []
    for (const [format, shown] of Object.entries(kinds)) {
      const { headers, bytes } = await fetched(slug, `reports/${format}`)
      const hash = `0x${sha256Hex(bytes)}`
      expect(body.renderings.find((one) => one.format === format)?.hash).toBe(hash)
      expect(headers.get('etag')).toBe(`"${hash}"`)
      expect(headers.get('cache-control')).toBe('public, max-age=60')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect(headers.get('content-disposition')).toBe(
        `${shown}; filename="study-${hash.slice(2, 10)}.${format}"`,
      )
      const at = `${file}.${format}`
      writeFileSync(at, bytes)
      renderings.push('--rendering', at)
    }
    let output = ''
    const stdout = { write: (text: string) => (output += text) }
    const args = [file, '--key', body.publicKey, '--redraw', ...renderings]
    expect([await verifyReportCommand({ args, stdout, stderr: stdout }), output]).toEqual([
      0,
      expect.stringContaining('The report is valid.'),
    ])
    writeFileSync(file, signed.text.replace('"headline":"', '"headline":"Better: '), 'latin1')
    expect(await verifyReportCommand({ args: [file], stdout, stderr: stdout })).toBe(1)
  })

  it('are fetched in parts, and not again by who has them', async () => {
    const { slug } = (await create()).share.payload
    const whole = await fetched(slug, 'reports/pdf')
    const part = await fetched(slug, 'reports/pdf', { range: 'bytes=0-9' })
    expect([part.status, part.headers.get('content-range'), part.text]).toEqual([
      206,
      `bytes 0-9/${whole.bytes.length}`,
      whole.text.slice(0, 10),
    ])
    expect((await fetched(slug, 'reports/pdf', { range: 'bytes=99999999-' })).status).toBe(416)
    const etag = whole.headers.get('etag')!
    expect((await fetched(slug, 'reports/pdf', { 'if-none-match': etag })).status).toBe(304)
  })

  it('are series and pictures that the projection has, and no other', async () => {
    const { slug } = (await create()).share.payload
    const { data } = await read(slug)
    const [line] = data.series
    const name = `${line.armId}.${line.flowModel}`
    expect(JSON.parse((await fetched(slug, `series/${name}`)).text)).toEqual(line.points)
    const csv = (await fetched(slug, `series/${name}?as=csv`)).text.split('\r\n')
    expect([csv[0], csv.length]).toEqual(['seconds,netVsHold,netVsHodl', line.points.length + 2])
    for (const { points } of data.series) {
      expect(points[0]).toEqual({ seconds: 0, netVsHold: '0', netVsHodl: '0' })
    }
    // The private study has these; the projection does not.
    for (const path of [
      `series/${name}.layouts`,
      `series/${name}.actions`,
      'pictures/liquidity-map.svg',
    ]) {
      expect([path, (await fetched(slug, path)).status]).toEqual([path, 404])
    }
    expect((await fetched(slug, 'pictures/net-vs-hold.png')).status).toBe(404)
    expect((await fetched(slug, 'reports/docx')).status).toBe(400)
  })

  it('are gone once the link is revoked', async () => {
    const { share } = await create()
    const paths = ['reports/pdf', 'pictures/net-vs-hold.svg', 'series/prices']
    const statuses = async () =>
      (await Promise.all(paths.map((path) => fetched(share.payload.slug, path)))).map(
        ({ status }) => status,
      )
    expect(await statuses()).toEqual([200, 200, 200])
    await revoke(share)
    expect(await statuses()).toEqual([404, 404, 404])
  })

  it('are drawn once, however many strangers come at once and again', async () => {
    const { slug } = (await create()).share.payload
    const before = await renderingsMade()
    const paths = ['reports/html', 'reports/pdf', 'reports/json', 'pictures/net-vs-hold.svg', '']
    const flood = () =>
      Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          const path = paths[index % paths.length]!
          return path === '' ? pageAt(slug) : fetched(slug, path)
        }),
      )
    for (const round of [await flood(), await flood()]) {
      expect(new Set(round.map(({ status }) => status))).toEqual(new Set([200]))
    }
    expect((await renderingsMade()) - before).toBe(1)
  })
})

describe('what leaves', () => {
  const flags = Object.keys(disclosure) as (keyof typeof disclosure)[]
  const combinations = Array.from({ length: 2 ** flags.length }, (_, bits) => {
    const shown = flags.filter((_flag, index) => ((bits >> index) & 1) === 1)
    const chosen = Object.fromEntries(flags.map((flag) => [flag, shown.includes(flag)]))
    return { shown: shown.join(', ') || 'nothing', chosen: chosen as typeof disclosure }
  })

  it.each(combinations)('contains only permitted data: $shown', async ({ chosen }) => {
    const { slug } = (await create({ disclosure: chosen })).share.payload
    const { text, data } = await read(slug)
    // A page shows what the JSON tells, and nothing beside it.
    const page = await (await pageAt(slug)).text()
    const whole = (text + page).toLowerCase()
    const holds = (needle: string) => whole.includes(needle.toLowerCase())
    const never = [
      owner.organizationId,
      owner.userId,
      study.id,
      venue.id,
      observation.id,
      strategy.id,
    ]
    const hashes = [venue.resourceVersion, observation.resourceVersion, strategy.resourceVersion]
    const privateTexts = ['nobody else', 'Ada of Lighthouse', 'study_share_', 'parameters"']
    for (const secret of [...never, ...hashes, ...privateTexts])
      expect([secret, holds(secret)]).toEqual([secret, false])
    const { address, pair } = venue.payload
    for (const place of [address, pair.base, pair.quote]) {
      expect(holds(place)).toBe(chosen.showVenueAddress)
    }
    await expectNothingElse(slug, data, chosen)
    // Not one address else, wherever it came from: a hash is 64 digits long.
    const others = (text + page).match(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g) ?? []
    expect(new Set(others)).toEqual(
      new Set(chosen.showVenueAddress ? [address, pair.base, pair.quote] : []),
    )
    expect(page.includes('quote tokens,') || page.includes(', quote tokens')).toBe(
      chosen.showAmounts,
    )
    expect(holds('Lighthouse Labs')).toBe(chosen.showOrganization)
    expect(holds('"OUT_OF_RANGE"')).toBe(chosen.showStrategyParameters)
    expect(holds('"tickLower":-1200')).toBe(chosen.showStrategyParameters)
    expect(holds('FLOW_MODEL')).toBe(chosen.showAssumptions)
    for (const amount of Object.values(capital)) expect(holds(amount)).toBe(chosen.showAmounts)
    expect(data.unit).toBe(chosen.showAmounts ? 'ATOMS' : 'MILLIONTHS_OF_CAPITAL')
  })

  it('keeps the ratios of amounts that are not shown', async () => {
    const of = async (showAmounts: boolean) =>
      (
        await read(
          (
            await create({ disclosure: { ...disclosure, showAmounts } })
          ).share.payload.slug,
        )
      ).data
    const [shown, scaled] = [await of(true), await of(false)]
    expect(BigInt(scaled.capital.base) + BigInt(scaled.capital.quote)).toBe(1_000_000n)
    const worth =
      (BigInt(shown.capital.base) * BigInt(shown.startPriceX18)) / 10n ** 18n +
      BigInt(shown.capital.quote)
    const pairs: [string, string][] = []
    for (const [index, { waterfallHolder, waterfallMaker, depth }] of shown.results.entries()) {
      const other = scaled.results[index]
      for (const line in waterfallHolder)
        pairs.push([waterfallHolder[line], other.waterfallHolder[line]])
      for (const line in waterfallMaker)
        pairs.push([waterfallMaker[line], other.waterfallMaker[line]])
      for (const at in depth) pairs.push([depth[at].medianQuote, other.depth[at].medianQuote])
    }
    for (const [index, { points }] of shown.series.entries()) {
      for (const at in points) {
        pairs.push([points[at].netVsHold, scaled.series[index].points[at].netVsHold])
      }
    }
    expect(pairs.filter(([before]) => before !== '0').length).toBeGreaterThan(20)
    for (const [before, after] of pairs) {
      const error = BigInt(after) * worth - BigInt(before) * 1_000_000n
      // Half a unit of rounding, and a hair for the division in `worth` above.
      expect(2n * (error < 0n ? -error : error) <= worth + 4_000_000n).toBe(true)
    }
    expect(scaled).toMatchObject({ market: null, startPriceX18: shown.startPriceX18 })
    for (const { flow } of scaled.results) expect(flow).toBeNull()
  })

  it('is nothing of the other organization in its lists', async () => {
    await create({ disclosure: nothing })
    const text = JSON.stringify(await sharesOf(foreignOwner))
    expect(text).not.toContain(owner.organizationId)
  })
})
