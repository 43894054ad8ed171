import type { Drawing, Paper } from '@liquidity-os/drawing'
import type { DrawnPlan, DrawnState } from './migration-course.ts'
import { picturesOfMigration } from './pictures-of-migration.ts'

export default ({ plan, state }: { plan: DrawnPlan; state: DrawnState }, paper: Paper): Drawing[] =>
  picturesOfMigration(plan, state, paper)
