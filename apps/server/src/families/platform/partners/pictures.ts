import type { contract } from '@liquidity-os/contract'
import type { PictureFamily, PictureRequest } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import { isIdOf } from '../../../store/records/resource-types.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import type { DrawnPartner } from './charts.ts'
import { consents, domains, partners } from './records.ts'

/**
 * Charts: granted scopes of a consent, offered scopes of a partner, and name server answers of a
 * host.
 */
export const pictures: PictureFamily = {
  operationId: 'getPartnerConsents',
  read: readDrawn,
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}

async function readDrawn({ id, records }: PictureRequest): Promise<DrawnPartner> {
  if (isIdOf('PartnerTenant', id)) {
    const { status, payload } = found(await partners.current(records, id))
    return { status, partner: payload }
  }
  if (isIdOf('PartnerDomainChallenge', id)) {
    const { status, payload } = found(await domains.current(records, id))
    return { status, domain: payload }
  }
  const { status, payload } = found(await consents.current(records, id))
  return { status, consent: payload as contract.PartnerConsent }
}

function found<Payload>(current: Current<Payload> | null) {
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  return current.record
}
