import { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import { rowsToCsv } from '../../../reports/csv.ts'
import { fileHashOf } from '../study-reports/api.ts'
import { openShare } from './open-share.ts'
import { sharedFile } from './shared-file.ts'
import type { Shared } from './shared-words.ts'

export default handle(contract.readSharedStudySeries, async (request): Promise<Outcome> => {
  const { params, query, services, now, fail } = request
  const share = await openShare(services, params.slug, now)
  if (!share) throw fail('LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE')
  const { data } = JSON.parse(share.text) as { data: Shared }
  const series = new Map<string, readonly object[]>([
    ...(data.prices.length > 0 ? [['prices', data.prices] as const] : []),
    ...data.series.map(
      ({ armId, flowModel, points }) => [`${armId}.${flowModel}`, points] as const,
    ),
  ])
  const points = series.get(params.name)
  if (!points) {
    const names = [...series.keys()].join(', ') || 'none'
    throw fail('LIQUIDITY_RESOURCE_NOT_FOUND', {
      message: `The shared study has no series ${params.name}, only ${names}.`,
    })
  }
  const isCsv = query.as === 'csv'
  const content = Buffer.from(isCsv ? rowsToCsv(points) : canonicalize(points))
  const mediaType = isCsv ? 'text/csv; charset=utf-8; header=present' : 'application/json'
  const file = { content, mediaType, hash: fileHashOf(content) }
  return sharedFile(file, { ending: isCsv ? 'csv' : 'json', isShown: !isCsv })
})
