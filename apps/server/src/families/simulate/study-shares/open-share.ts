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

/** What a link that holds discloses. */
export interface OpenShare {
  /** The answer to programs: the redacted projection as the data of a JSON text. */
  readonly text: string
  readonly url: string
}

/** What readers of a slug may see now; null where it leads nowhere: unknown, revoked or expired. */
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
  // The slug only finds the record; the record, whose hash was checked, says whether the link still holds.
  const isOpen =
    share?.status === 'ACTIVE' &&
    share.payload.slug === slug &&
    Date.parse(share.payload.expiresAt) > now
  if (!isOpen) return null
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
  return { text, url: `${services.config.baseUrl}${basePath}/public/studies/${slug}` }
}
