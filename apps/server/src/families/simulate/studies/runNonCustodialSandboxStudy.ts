import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { runInlineStudy } from './run-inline-study.ts'

export default handle(contract.runNonCustodialSandboxStudy, async ({ body, services }) => {
  const { result, specHash } = await runInlineStudy(services.awaited, body.payload)
  return {
    status: 201,
    data: {
      result,
      specHash,
      persisted: false,
      executionPerformed: false,
      executionAuthorityGranted: false,
    },
  }
})
