export default function (eleventy) {
  eleventy.addPassthroughCopy({ "src/public": "/" });
  eleventy.addGlobalData("motto", "Bread since 1950");
  return { dir: { input: "src", output: "_site" } };
}
