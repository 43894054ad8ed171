import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { sql } from '../../../store/database/sql.ts'
import { mandates, numberKind, observations } from './records.ts'

const list = observations.list(
  contract.listMarketMakerEvidence,
  // Finds evidence by name, without reading bodies.
  ({ params, organizationId }) => sql`h.id in (select record_id from names
    where organization_id = ${organizationId} and kind = ${numberKind}
    and name > ${`${params.id}|`} and name < ${`${params.id}}`})`,
)

/** Lists the evidence of a mandate; fails if the mandate does not exist. */
export default handle(contract.listMarketMakerEvidence, async (request): Promise<Outcome> => {
  // Validates the cursor before the mandate, because a bad cursor is an error of the request.
  const page = await list.run(request as unknown as Parameters<typeof list.run>[0])
  const mandate = await mandates.current(request.records, request.params.id)
  if (!mandate) throw request.fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  return page
})
