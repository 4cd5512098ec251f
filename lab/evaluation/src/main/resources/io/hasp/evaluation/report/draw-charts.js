'use strict';
// Draws the charts that the page's data describe. Everything they say is also in the headings and tables beside them.
(() => {
  const specs = new Map(JSON.parse(document.getElementById('specs').textContent).map(spec => [spec.id, spec]));
  const drawn = new Map();
  const shapes = { hasp: 'circle', peer: 'triangle', baseline: 'rect' };
  const seriesShapes = ['circle', 'triangle', 'rect', 'rectRot', 'star'];
  const seriesSigns = ['●', '▲', '■', '◆', '✳'];
  const still = matchMedia('(prefers-reduced-motion: reduce)');

  const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const faint = hex => hex + '99';
  const tidy = value => value === 0 ? '0' : Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));

  /** The last of several series is drawn lowest in the line. */
  const shift = (spec, series) => spec.series.length === 1 ? 0 : (series / (spec.series.length - 1) - 0.5) * 0.55;

  function medians(spec, series, index) {
    const points = series.points.map(point => ({
      x: point.median, y: point.line + shift(spec, index), xMin: point.low, xMax: point.high,
      yMin: point.line + shift(spec, index), yMax: point.line + shift(spec, index), n: point.n,
    }));
    const colours = series.points.map(point => colour(spec.lines[point.line].role));
    const shape = spec.series.length === 1
      ? series.points.map(point => shapes[spec.lines[point.line].role]) : seriesShapes[index % seriesShapes.length];
    return {
      type: 'scatterWithErrorBars', label: series.name, data: points,
      radius: 5, hoverRadius: 7, hitRadius: 8, pointStyle: shape, backgroundColor: colours, borderColor: colours,
      errorBarColor: colours, errorBarWhiskerColor: colours, errorBarLineWidth: 2, errorBarWhiskerLineWidth: 2,
      errorBarWhiskerSize: 9,
    };
  }

  function rounds(spec, series, index) {
    const points = series.points.flatMap(point => point.rounds.map(
      value => ({ x: value, y: point.line + shift(spec, index), role: spec.lines[point.line].role })));
    const colours = points.map(point => faint(colour(point.role)));
    return {
      type: 'scatter', label: 'rounds', data: points, pointRadius: 2.5, pointHoverRadius: 2.5, pointHitRadius: 0,
      pointBackgroundColor: colours, pointBorderWidth: 0, order: 1,
    };
  }

  /** A failed or missing figure keeps its line, with the reason. */
  const notes = {
    id: 'notes',
    afterDatasetsDraw(chart, _, options) {
      const { ctx, chartArea, scales } = chart;
      ctx.save();
      ctx.fillStyle = colour('bad');
      ctx.font = 'italic 12px system-ui, sans-serif';
      ctx.textBaseline = 'middle';
      options.lines.forEach((line, index) => {
        if (line.note) ctx.fillText(line.note, chartArea.left + 8, scales.y.getPixelForValue(index));
      });
      ctx.restore();
    },
  };

  function config(spec) {
    const narrow = document.documentElement.clientWidth < 560;
    const font = { size: narrow ? 10.5 : 12 };
    const grid = colour('line');
    return {
      type: 'scatterWithErrorBars',
      data: { datasets: [...spec.series.map((s, i) => medians(spec, s, i)),
        ...(spec.series.length === 1 ? spec.series.map((s, i) => rounds(spec, s, i)) : [])] },
      plugins: [notes],
      options: {
        animation: false, responsive: true, maintainAspectRatio: false,
        layout: { padding: { right: 12 } },
        scales: {
          x: {
            type: spec.log ? 'logarithmic' : 'linear', beginAtZero: !spec.log, grid: { color: grid }, border: { color: grid },
            title: { display: true, text: spec.axis + (spec.log ? ' (logarithmic)' : ''), color: colour('soft'), font },
            ticks: {
              color: colour('soft'), font, maxRotation: 0, autoSkip: true, autoSkipPadding: 12,
              callback: value => !spec.log || /^[125]/.test(Number(value).toExponential()) && !/^[125]\.[1-9]/.test(Number(value).toExponential())
                ? tidy(value) : null,
            },
          },
          y: {
            type: 'linear', reverse: true, min: -0.5, max: spec.lines.length - 0.5, grid: { display: false }, border: { color: grid },
            afterBuildTicks: axis => { axis.ticks = spec.lines.map((_, index) => ({ value: index })); },
            ticks: {
              autoSkip: false, font, color: context => colour(spec.lines[context.tick?.value]?.role ?? 'ink'),
              callback: value => spec.lines[value]?.label ?? '',
            },
          },
        },
        plugins: {
          legend: { display: false },
          notes: { lines: spec.lines },
          tooltip: {
            animation: !still.matches, filter: item => item.dataset.label !== 'rounds',
            callbacks: {
              title: items => items.length ? spec.lines[Math.round(items[0].parsed.y)].label : '',
              label: item => `${item.dataset.label}: ${tidy(item.raw.x)} (${tidy(item.raw.xMin)}–${tidy(item.raw.xMax)}), n = ${item.raw.n}`,
            },
          },
        },
      },
    };
  }

  const dashes = [[], [6, 4], [2, 3], [10, 4, 2, 4]];
  const signs = ['circle', 'triangle', 'rect', 'rectRot', 'star'];

  function curve(spec) {
    const narrow = document.documentElement.clientWidth < 560;
    const font = { size: narrow ? 10.5 : 12 };
    const grid = colour('line');
    const ofRole = {};
    const scale = (title, log) => ({
      type: log ? 'logarithmic' : 'linear', beginAtZero: !log, grid: { color: grid }, border: { color: grid },
      title: { display: true, text: title + (log ? ' (logarithmic)' : ''), color: colour('soft'), font },
      ticks: {
        color: colour('soft'), font, maxRotation: 0, autoSkip: true, autoSkipPadding: 12,
        callback: value => !log || /^1(\.0*)?e/.test(Number(value).toExponential()) ? tidy(value) : null,
      },
    });
    return {
      type: 'scatterWithErrorBars',
      data: { datasets: spec.series.map(line => {
        const index = ofRole[line.role] = (ofRole[line.role] ?? -1) + 1;
        const its = colour(line.role);
        return {
          type: 'scatterWithErrorBars', label: line.name, showLine: true, borderWidth: 2, borderDash: dashes[index % dashes.length],
          data: line.points.map(p => ({ x: p.x, y: p.median, yMin: p.low, yMax: p.high, xMin: p.x, xMax: p.x, n: p.n })),
          pointRadius: 4, pointStyle: signs[index % signs.length], borderColor: its, backgroundColor: its, errorBarColor: its,
          errorBarWhiskerColor: its, errorBarWhiskerSize: 6,
        };
      }) },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false,
        scales: { x: scale(spec.axis, spec.logX), y: scale(spec.value, spec.log) },
        plugins: {
          legend: { display: true, position: 'bottom', labels: { color: colour('ink'), font, usePointStyle: true } },
          tooltip: {
            animation: !still.matches,
            callbacks: { label: item =>
              `${item.dataset.label} at ${tidy(item.raw.x)}: ${tidy(item.raw.y)} (${tidy(item.raw.yMin)}–${tidy(item.raw.yMax)})` },
          },
        },
      },
    };
  }

  function draw(canvas) {
    drawn.get(canvas.id)?.destroy();
    const spec = specs.get(canvas.id);
    drawn.set(canvas.id, new Chart(canvas, spec.curve ? curve(spec) : config(spec)));
    canvas.dataset.drawn = 'yes';
  }

  const isVisible = canvas => canvas.offsetParent !== null;
  const all = () => [...document.querySelectorAll('canvas')];
  const drawVisible = () => all().filter(isVisible).forEach(draw);

  document.querySelectorAll('[data-series]').forEach(element => {
    const names = specs.get(element.dataset.series).series.map((series, i) => seriesSigns[i % seriesSigns.length] + ' ' + series.name);
    element.textContent = names.join('   ');
  });
  document.querySelectorAll('details').forEach(details => details.addEventListener('toggle',
    () => details.querySelectorAll('canvas').forEach(canvas => { if (isVisible(canvas) && !drawn.has(canvas.id)) draw(canvas); })));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawVisible);

  // On paper everything is light, and what can't be unfolded there is unfolded before.
  let opened = [];
  addEventListener('beforeprint', () => {
    document.documentElement.classList.add('paper');
    opened = [...document.querySelectorAll('details.more:not([open])')];
    opened.forEach(details => { details.open = true; });
    drawVisible();
  });
  addEventListener('afterprint', () => {
    document.documentElement.classList.remove('paper');
    opened.forEach(details => { details.open = false; });
    drawVisible();
  });
  drawVisible();
})();
