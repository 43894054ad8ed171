import { basePath, contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { prefersHtml } from '../../../http/accept.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { pagePolicy } from '../../../reports/page.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { TenantRecords } from '../../../store/records/tenant-records.ts'
import { sharedText } from './shared-text.ts'
import { holderOf } from './slug.ts'

type StudyShare = Static<typeof contract.StudyShare>
type Study = Static<typeof contract.SimulationStudy>

export default handle(contract.getSharedSimulationStudy, async (request): Promise<Outcome> => {
  const { params, services, now, fail } = request
  const { database, verified, artifacts } = services
  const holder = await holderOf(database, params.slug, now)
  if (!holder) throw fail('LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE')
  const { organizationId } = holder
  const actor = { kind: 'SYSTEM', id: 'public' } as const
  const records = new TenantRecords({ organizationId, actor, now, database, verified, artifacts })
  const share = (await records.current<StudyShare>('StudyShare', holder.shareId))?.record
  // The slug only finds the record; the record, whose hash was checked, says whether the link still holds.
  const isOpen =
    share?.status === 'ACTIVE' &&
    share.payload.slug === params.slug &&
    Date.parse(share.payload.expiresAt) > now
  if (!isOpen) throw fail('LIQUIDITY_PUBLIC_STUDY_UNAVAILABLE')
  const { id, resourceVersion } = share.payload.study
  const study = await records.version<Study>('SimulationStudy', id, resourceVersion)
  if (!study) throw new Error(`${share.id} shares a version of ${id} that is not stored.`)
  const [names = []] = await database.global([
    sql`select name from organizations where id = ${organizationId}`,
  ])
  const text = await sharedText(records, {
    share,
    study: study.record,
    isSuperseded: !study.isCurrent,
    organizationName: textOf(names[0] ?? {}, 'name'),
  })
  const headers = { 'x-robots-tag': 'noindex', vary: 'Accept' }
  if (!prefersHtml(request.headers)) return { text, headers }
  const { sharedPage } = await import('./shared-page.ts')
  const url = `${services.config.baseUrl}${basePath}/public/studies/${params.slug}`
  return {
    // What programs get is what people are shown.
    text: sharedPage(JSON.parse(text).data, url),
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${pagePolicy}; frame-ancestors 'none'; sandbox`,
      'referrer-policy': 'no-referrer',
    },
  }
})
