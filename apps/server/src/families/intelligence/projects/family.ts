import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { observations, projects } from './records.ts'

export const family: Family = {
  contracts: [contract.projectFamily, contract.projectObservationFamily],
  operations: {
    listSavedProjects: projects.list(contract.listSavedProjects),
    savePublicProject: () => import('./savePublicProject.ts'),
    getSavedProject: projects.get(contract.getSavedProject),
    refreshSavedProject: () => import('./refreshSavedProject.ts'),
    listSavedProjectObservations: () => import('./listSavedProjectObservations.ts'),
    getSavedProjectObservation: () => import('./getSavedProjectObservation.ts'),
  },
  kinds: [projects.kind, observations.kind],
  pictures: () => import('./pictures.ts'),
}
