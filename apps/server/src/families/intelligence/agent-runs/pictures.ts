import { picturesOfPayload } from '../../../drawing/picture-family.ts'

export const pictures = picturesOfPayload(
  'getAgentRun',
  'AgentRun',
  new URL('./pictures/draw-task.ts', import.meta.url),
)
