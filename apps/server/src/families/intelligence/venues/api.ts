export { rebuildPoints } from './points/rebuild-points.ts'
