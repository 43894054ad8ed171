import { basePath, type contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { Services } from '../../../services.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { TenantRecords } from '../../../store/records/tenant-records.ts'
import { sharedText } from './shared-text.ts'
import { holderOf } from './slug.ts'

type StudyShare = Static<typeof contract.StudyShare>
type Study = Static<typeof contract.SimulationStudy>

export interface OpenShare {
  /** The JSON response: the redacted projection. */
  readonly text: string
  readonly url: string
}

/** Content of a slug for readers; null if it is unknown, revoked or expired. */
export async function openShare(
  services: Pick<Services, 'artifacts' | 'config' | 'database' | 'verified'>,
  slug: string,
  now: number,
): Promise<OpenShare | null> {
  const { database, verified, artifacts } = services
  const holder = await holderOf(database, slug, now)
  if (!holder) return null
  const { organizationId } = holder
  const actor = { kind: 'SYSTEM', id: 'public' } as const
  const records = new TenantRecords({ organizationId, actor, now, database, verified, artifacts })
  const share = (await records.current<StudyShare>('StudyShare', holder.shareId))?.record
  // The slug only locates the record. The record, with its verified hash, determines whether the
  // link is active.
  const isOpen =
    share?.status === 'ACTIVE' &&
    share.payload.slug === slug &&
    Date.parse(share.payload.expiresAt) > now
  if (!isOpen) return null
  const { id, resourceVersion } = share.payload.study
  const study = await records.version<Study>('SimulationStudy', id, resourceVersion)
  if (!study) throw new Error(`${share.id} refers to a version of ${id} that is not stored.`)
  const [names = []] = await database.global([
    sql`select name from organizations where id = ${organizationId}`,
  ])
  const text = await sharedText(records, {
    share,
    study: study.record,
    isSuperseded: !study.isCurrent,
    organizationName: textOf(names[0] ?? {}, 'name'),
  })
  return { text, url: `${services.config.baseUrl}${basePath}/public/studies/${slug}` }
}
