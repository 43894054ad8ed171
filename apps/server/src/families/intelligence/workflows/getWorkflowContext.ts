import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { savedProjects } from '../projects/api.ts'
import { runsOfDay } from './day.ts'
import { type Kind, workflows } from './workflow.ts'

type Context = contract.WorkflowContext

const noParameters = { type: 'object', additionalProperties: false }
const amount = {
  ...noParameters,
  properties: { baseAmount: { type: 'string', pattern: '^[1-9][0-9]{0,77}$' } },
  required: ['baseAmount'],
}

export default handle(contract.getWorkflowContext, async ({ actor, records }) => {
  const [projects, { used, limit, resetsAt }] = await Promise.all([
    savedProjects(records),
    runsOfDay(records),
  ])
  const subjects = projects.map(({ id, payload }) => ({
    projectId: id,
    version: payload.latest.version,
    label: payload.label,
  }))
  const observed = projects.reduce((sum, { payload }) => sum + payload.latest.version, 0)
  return {
    data: {
      role: actor.role,
      mayRun: actor.permissions.has('prepare') && used < limit,
      workflows: (Object.keys(workflows) as Kind[]).map((kind) => {
        const { title, subjects: subjectsNeeded, needsBaseAmount } = workflows[kind]
        return {
          kind,
          title,
          subjectsNeeded,
          subjects,
          parameters: needsBaseAmount ? amount : noParameters,
          missing: missingFor(subjectsNeeded, observed),
        }
      }),
      used,
      limit,
      resetsAt: new Date(resetsAt).toISOString(),
    } satisfies Context,
  }
})

function missingFor(needed: number, observed: number): Context['workflows'][number]['missing'] {
  if (observed === 0) return ['SAVED_PROJECT']
  return observed < needed ? ['SECOND_OBSERVATION'] : []
}
