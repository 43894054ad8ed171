import { basePath, type contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { Services } from '../../../services.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { shareLinks } from './records.ts'
import { sharedText } from './shared-text.ts'

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
  const opened = await shareLinks.open(services, slug, now)
  if (!opened) return null
  const { records, share } = opened
  const { id, resourceVersion } = share.payload.study
  const study = await records.version<Study>('SimulationStudy', id, resourceVersion)
  if (!study) throw new Error(`${share.id} refers to a version of ${id} that is not stored.`)
  const [names = []] = await services.database.global([
    sql`select name from organizations where id = ${records.organizationId}`,
  ])
  const text = await sharedText(records, {
    share,
    study: study.record,
    isSuperseded: !study.isCurrent,
    organizationName: textOf(names[0] ?? {}, 'name'),
  })
  return { text, url: `${services.config.baseUrl}${basePath}/public/studies/${slug}` }
}
