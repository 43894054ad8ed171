import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { registerExecution } from './register-execution.ts'

const operation = contract.registerProposalSafeSubmission

/** Records that a transaction executed a packet, if the chain proves it. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, services, precondition, now } = request
  const current = await records.reviewed<contract.ProposalWorkspace>(
    'ProposalWorkspace',
    params.id,
    precondition,
  )
  const { change, ...registered } = await registerExecution(
    { records, services, now },
    current,
    body,
  )
  return {
    status: 201,
    data: { ...registered, executionAuthorityGranted: false, executionPerformed: false },
    change,
  }
})
