import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'

const savedKind = 'saved-project'
const observationKind = 'project-observation'

/** Unique name of a saved token. */
export const savedName = (assetKey: string) => ({ kind: savedKind, name: assetKey })

export const projects = recordFamily(contract.projectFamily, {
  names: ({ payload }) => [savedName(payload.assetKey)],
  nameKinds: [savedKind],
  taken: (holderId) => ({
    'payload.identifier': [
      `must not belong to another saved project, got the token of ${holderId}`,
    ],
  }),
})

export const observationName = (projectId: string, version: number) => ({
  kind: observationKind,
  name: `${projectId}|${version}`,
})

export const observations = recordFamily(contract.projectObservationFamily, {
  names: ({ payload }) => [observationName(payload.projectId, payload.version)],
  nameKinds: [observationKind],
})
