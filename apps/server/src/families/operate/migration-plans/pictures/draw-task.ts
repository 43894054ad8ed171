import { type Drawing, drawCharts, type Paper, usualPaper } from '@liquidity-os/drawing'
import { type DrawnMigration, migrationCharts } from '../charts.ts'

export default (drawn: DrawnMigration, paper: Paper = usualPaper): Drawing[] =>
  drawCharts(migrationCharts(drawn), paper)
